/** The two routes of the one page (console spec §2.1): the first invites whom it creates. */
import { ImportPage } from "./ImportPage.tsx";

export const InvitingImport = () => <ImportPage isInvite />;
export const PlainImport = () => <ImportPage isInvite={false} />;
