export { InvitingImport as default } from "../../features/import/pages.tsx";
