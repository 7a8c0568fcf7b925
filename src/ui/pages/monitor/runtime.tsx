export { default } from "../../features/runtime/RuntimePage.tsx";
