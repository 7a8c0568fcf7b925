export { default } from "../../features/conference/ConferencePage.tsx";
