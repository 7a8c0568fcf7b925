/** 运行总览 (docs/session.md#fleet). */
import { Allowed } from "../../components/taken/Allowed.tsx";
import { Fleet } from "../../features/fleet/Fleet.tsx";
import { FLEET_TEXTS } from "../../features/fleet/texts.ts";
import { useTexts } from "../../i18n/texts.ts";

export default function FleetPage() {
  const text = useTexts(FLEET_TEXTS);
  return (
    <Allowed call="fleet.figures" title={text("title")}>
      <Fleet />
    </Allowed>
  );
}
