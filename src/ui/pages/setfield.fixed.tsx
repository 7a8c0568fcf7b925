/** Fields of the company's own record (docs/server.md#field-settings). */
import { FieldSettingsPage } from "../features/fields/FieldSettingsPage.tsx";

export default function CompanyFieldsPage() {
  return <FieldSettingsPage subject="company" />;
}
