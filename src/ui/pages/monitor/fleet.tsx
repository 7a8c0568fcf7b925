export { FleetPage as default } from "../../features/fleet/FleetPage.tsx";
