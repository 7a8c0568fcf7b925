/** The person's logins that go on. Each but the present one can be ended. */
import { Button } from "@arco-design/web-react";
import { useTranslation } from "react-i18next";
import { formatDate } from "../../../shared/domain/format.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { DictTag } from "../../components/DictTag.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { useRead } from "../../state/useRead.ts";
import { agentName } from "../monitor/agent.ts";
import { useSystemName } from "../monitor/useSystemName.ts";
import { PROFILE_TEXTS } from "./texts.ts";
import "../../components/table.css";

type Login = PageCallData<"profile.sessions">["records"][number];
/** More logins than anybody has; the latest active come first. */
const MOST = 100;

export function Logins() {
  const { t } = useTranslation();
  const text = useTexts(PROFILE_TEXTS);
  const systemName = useSystemName();
  const { rest } = useCore().commands;
  const { answer, again } = useRead({ call: "profile.sessions", query: { limit: MOST } });
  const deviceOf = ({ userAgent }: Login): string => agentName(userAgent) || text("unknown");
  const end = (login: Login): void =>
    ask({
      title: text("end"),
      content: text("endAsk", { device: deviceOf(login) }),
      okText: t("common.ok"),
      cancelText: t("common.cancel"),
      onOk: () =>
        rest
          .call({ call: "profile.endSession", params: { id: login.id } })
          .then(() => showMessage("success", text("ended")), showError),
    });
  return (
    <section className="panel profile-panel">
      <h2>{text("logins")}</h2>
      <ReadNote
        className="profile-note"
        answer={answer}
        failed={text("loginsFailed")}
        onRetry={again}
      />
      {answer.state === "ready" && (
        <ScrollBox className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th>{text("device")}</th>
                <th>{text("address")}</th>
                <th>{text("system")}</th>
                <th>{text("since")}</th>
                <th>{text("active")}</th>
                <th aria-label={text("end")} />
              </tr>
            </thead>
            <tbody>
              {answer.data.records.map((login) => (
                <tr key={login.id}>
                  <th scope="row" title={login.userAgent}>
                    {deviceOf(login)}
                  </th>
                  <td className="tnum">{login.address === "" ? "–" : login.address}</td>
                  <td>{systemName(login.systemName)}</td>
                  <td className="tnum">{formatDate(Date.parse(login.createTime))}</td>
                  <td className="tnum">{formatDate(Date.parse(login.activeTime))}</td>
                  <td>
                    {login.current ? (
                      <DictTag label={text("current")} listClass="success" />
                    ) : (
                      <Button
                        size="mini"
                        aria-label={`${text("end")} ${deviceOf(login)}`}
                        onClick={() => end(login)}
                      >
                        {text("end")}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </section>
  );
}
