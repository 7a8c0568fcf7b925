/** The frame around every page, in a separate file: the login loads it early, and pages must not import the login. */
import { lazy } from "react";
import { retrying } from "../state/retrying.ts";

const loadLayout = () => import("../layout/MainLayout.tsx");
export const MainLayout = lazy(() => retrying(loadLayout));
/** Loads the frame early, while the core is still starting. */
export const preloadLayout = (): void => void retrying(loadLayout).catch(() => undefined);
