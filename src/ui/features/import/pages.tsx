/** The two routes of the one page (docs/session.md#static-routes): the first invites whom it creates. */
import { ImportPage } from "./ImportPage.tsx";

export const InvitingImport = () => <ImportPage isInvite />;
export const PlainImport = () => <ImportPage isInvite={false} />;
