/** Puts the console on the page. The entry file gives it the real core and media half, fixtures give others. */
import { createRoot } from "react-dom/client";
import { StrictMode } from "react";
import { BrowserRouter } from "react-router-dom";
import "./arco.ts";
import "../theme.css";
import { startI18n } from "../i18n/index.ts";
import { ServicesContext, type Services } from "../state/services.ts";
import { createThemeStore } from "../state/theme.ts";
import { OPEN_PATHS } from "../../shared/domain/guard.ts";
import { App } from "./App.tsx";
import { preloadLayout } from "./frame.ts";

/** @returns what takes the console off the page again */
export async function renderConsole(
  element: HTMLElement,
  services: Omit<Services, "theme">,
): Promise<() => void> {
  const theme = createThemeStore();
  if (!(OPEN_PATHS as readonly string[]).includes(location.pathname)) preloadLayout();
  await startI18n();
  const root = createRoot(element);
  root.render(
    <StrictMode>
      <ServicesContext value={{ ...services, theme }}>
        <BrowserRouter>
          <App />
        </BrowserRouter>
      </ServicesContext>
    </StrictMode>,
  );
  return () => root.unmount();
}
