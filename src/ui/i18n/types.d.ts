import type { Zh } from "./zh.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: Zh };
  }
}
