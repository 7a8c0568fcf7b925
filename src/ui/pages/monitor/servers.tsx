/** 服务器 (docs/session.md#servers). */
import { Allowed } from "../../components/taken/Allowed.tsx";
import { Servers } from "../../features/servers/Servers.tsx";
import { SERVER_TEXTS } from "../../features/servers/server-pages.ts";
import { useTexts } from "../../i18n/texts.ts";

export default function ServersPage() {
  const text = useTexts(SERVER_TEXTS);
  return (
    <Allowed call="fleet.charts" title={text("title")}>
      <Servers />
    </Allowed>
  );
}
