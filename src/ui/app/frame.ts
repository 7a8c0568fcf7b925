/** The frame around every page, apart from the pages: the login fetches it early, and a page must not lead back to the login. */
import { lazy } from "react";
import { retrying } from "../state/retrying.ts";

const loadLayout = () => import("../layout/MainLayout.tsx");
export const MainLayout = lazy(() => retrying(loadLayout));
/** Fetches the frame before anybody asks for it, so that it comes while the core is still starting. */
export const preloadLayout = (): void => void loadLayout().catch(() => undefined);
