/** Fields of employees: the built-in ones and the company's own (docs/server.md#field-settings). */
import { FieldSettingsPage } from "../features/fields/FieldSettingsPage.tsx";

export default function EmployeeFieldsPage() {
  return <FieldSettingsPage subject="employee" />;
}
