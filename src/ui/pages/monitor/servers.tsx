export { ServersPage as default } from "../../features/servers/ServersPage.tsx";
