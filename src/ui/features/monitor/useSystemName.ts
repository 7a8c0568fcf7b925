/** Names of the platform's systems, in the chosen language. */
import { useTranslation } from "react-i18next";
import { systemNameSchema } from "../../../shared/protocol/config.ts";

/** @returns the name of a system; the given text where it is no system of the console */
export function useSystemName(): (systemName: string) => string {
  const { t } = useTranslation();
  return (systemName) => {
    const known = systemNameSchema.safeParse(systemName);
    return known.success ? t(`systems.${known.data}`) : systemName;
  };
}
