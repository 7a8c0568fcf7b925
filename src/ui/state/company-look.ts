/** The look that the settings of the company ask for (docs/session.md#appearance): colour and sidebar, live in every open tab. */
import { useEffect } from "react";
import type { CompanyLook } from "./appearance.ts";
import { isColor } from "./color.ts";
import { useServices, useSlice } from "./services.ts";
import { useRead } from "./useRead.ts";

const COLOR = "sys.index.theme";
const SIDE = "sys.index.sideTheme";

/** @param color and side values of the settings; what the console does not understand is as if it were not set */
export function companyLook(color: string, side: string): CompanyLook {
  const wanted = color.trim().toLowerCase();
  const ground = /^theme-(dark|light)$/.exec(side.trim())?.[1];
  return {
    color: isColor(wanted) ? wanted : null,
    side: ground === "dark" || ground === "light" ? ground : null,
  };
}

/** The value of a setting; null while it is not known; "" when nobody has set it. */
function useSetting(key: string): string | null {
  const { isGuest, infoLoaded, supplierId } = useSlice("session");
  const known = infoLoaded && isGuest === "0" && supplierId !== null;
  const { answer } = useRead<"config.byKey">(
    known ? { call: "config.byKey", params: { key } } : null,
  );
  if (answer.state === "ready") return answer.data;
  return answer.state === "failed" && answer.error?.code === "request.not-found" ? "" : null;
}

export function useCompanyLook(): void {
  const { appearance } = useServices();
  const color = useSetting(COLOR);
  const side = useSetting(SIDE);
  useEffect(() => {
    if (color !== null && side !== null) appearance.setCompany(companyLook(color, side));
  }, [appearance, color, side]);
}
