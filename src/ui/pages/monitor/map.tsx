/** 运行拓扑 (docs/session.md#system-map). */
import { Allowed } from "../../components/taken/Allowed.tsx";
import { SystemMap } from "../../features/system-map/SystemMap.tsx";
import { MAP_TEXTS } from "../../features/system-map/texts.ts";
import { useTexts } from "../../i18n/texts.ts";

export default function MapPage() {
  const text = useTexts(MAP_TEXTS);
  return (
    <Allowed call="system.map" title={text("title")}>
      <SystemMap />
    </Allowed>
  );
}
