/** Renders the console into the page. The entry file passes the real core and media code, fixtures pass others. */
import { createRoot } from "react-dom/client";
import { StrictMode } from "react";
import { BrowserRouter } from "react-router-dom";
import "../loading/arco.ts";
import "../theme.css";
import { startI18n } from "../i18n/index.ts";
import { serverNow, ServicesContext, type Services } from "../state/services.ts";
import { createAppearanceStore } from "../state/appearance.ts";
import { showError } from "../state/show-message.ts";
import { saveBlob } from "../state/save.ts";
import { createDownloads } from "../state/downloads.ts";
import { createSending } from "../state/sending.ts";
import { dropLocal, localKeys, readLocal, writeLocalValue } from "../storage.ts";
import { createSizeStore } from "../state/size.ts";
import { createThemeStore } from "../state/theme.ts";
import { BASE_PATH, pagePath } from "../../core-client/base-path.ts";
import { isOpenPath } from "../../shared/domain/guard.ts";
import { App } from "./App.tsx";
import { preloadFrame } from "./frame.ts";

const after = (ms: number, run: () => void): { cancel(): void } => {
  const handle = setTimeout(run, ms);
  return { cancel: () => clearTimeout(handle) };
};

/** @returns a function that removes the console from the page */
export async function renderConsole(
  element: HTMLElement,
  services: Omit<Services, "theme" | "size" | "sending" | "downloads" | "appearance">,
): Promise<() => void> {
  const theme = createThemeStore();
  const sending = createSending({
    core: services.core,
    storage: { keys: localKeys, read: readLocal, write: writeLocalValue, drop: dropLocal },
    newId: () => crypto.randomUUID(),
    now: () => serverNow(services.core),
    after,
  });
  const downloads = createDownloads({
    core: services.core,
    save: saveBlob,
    fail: showError,
    newId: () => crypto.randomUUID(),
    isVisible: () => document.visibilityState === "visible",
    after,
  });
  const size = createSizeStore();
  const appearance = createAppearanceStore();
  if (!isOpenPath(pagePath())) preloadFrame();
  await startI18n();
  const root = createRoot(element);
  root.render(
    <StrictMode>
      <ServicesContext value={{ ...services, theme, size, sending, downloads, appearance }}>
        <BrowserRouter basename={BASE_PATH}>
          <App />
        </BrowserRouter>
      </ServicesContext>
    </StrictMode>,
  );
  return () => {
    root.unmount();
    sending.dispose();
    downloads.dispose();
  };
}
