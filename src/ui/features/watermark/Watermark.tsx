/** Name, number and date over all pages, where the company's settings ask for it (docs/session.md#watermark). */
import { lazy } from "react";
import { retrying } from "../../state/retrying.ts";
import { useSlice } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { Part } from "../../components/Part.tsx";

// few companies have one
const Marks = lazy(() => retrying(() => import("./Marks.tsx")).then((m) => ({ default: m.Marks })));

const SETTING = "sys.watermark";

export function Watermark() {
  const { isGuest, infoLoaded, supplierId } = useSlice("session");
  const known = infoLoaded && isGuest === "0" && supplierId !== null;
  const { answer } = useRead<"config.byKey">(
    known ? { call: "config.byKey", params: { key: SETTING } } : null,
  );
  const on = known && answer.state === "ready" && answer.data === "on";
  return on ? (
    <Part>
      <Marks />
    </Part>
  ) : null;
}
