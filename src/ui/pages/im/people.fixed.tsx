export { default } from "../../features/people/PeoplePage.tsx";
