export { PlainImport as default } from "../../features/import/pages.tsx";
