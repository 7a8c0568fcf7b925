export { default } from "../features/assistant/AssistantPage.tsx";
