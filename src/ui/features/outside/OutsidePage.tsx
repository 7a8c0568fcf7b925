/**
 * What all tabs of a core show whose person has lost the company and has others (docs/session.md#end-of-access): what happened, and the
 * companies in which the person can go on.
 */
import { useEffect, useState } from "react";
import { PlainButton } from "../../components/PlainButton.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { closeDialogs } from "../../state/dialogs.ts";
import { useCore, useSlice } from "../../state/services.ts";
import { dropSession, TAGS_KEY } from "../../storage.ts";
import { clearMessages, showError } from "../../state/show-message.ts";
import { useTitle } from "../../state/title.ts";
import { PlainPage } from "../fallback/PlainPage.tsx";

const TEXTS = texts({
  title: ["您已不在企业“{{company}}”中", "You are no longer in “{{company}}”"],
  hint: [
    "您已从该企业离职，或账号已与员工解绑；该企业的页面、通话、会议和导入已停止。您可以进入其他企业继续工作，如有疑问，请联系该企业的管理员。",
    "Your employment there has ended, or your account was unbound. Its pages, calls, conferences and imports have stopped. You can continue in another company; ask the company's administrator if this is wrong.",
  ],
  lockedTitle: ["企业“{{company}}”已被平台锁定", "“{{company}}” was locked by the platform"],
  lockedHint: [
    "锁定原因：{{reason}}。该企业的页面、通话、会议和导入已停止。您可以进入其他企业继续工作，如有疑问，请联系平台管理员。",
    "Reason: {{reason}}. Its pages, calls, conferences and imports have stopped. You can continue in another company; ask the platform's administrator if this is wrong.",
  ],
  enter: ["进入“{{company}}”", "Go to “{{company}}”"],
  logout: ["退出登录", "Log out"],
});

export default function OutsidePage({ company }: { readonly company: string }) {
  const text = useTexts(TEXTS);
  const core = useCore();
  const { employees } = useSlice("session");
  const [busy, setBusy] = useState<string | null>(null);
  /**
   * Why the platform has locked the company; null: it has not, and undefined: not known yet. That the person is out holds in either
   * case and does not wait for the answer, which comes late from a busy server.
   */
  const [reason, setReason] = useState<string | null | undefined>();
  useEffect(() => {
    core.commands.rest.call({ call: "companies.ownLocks" }).then(
      (locks) =>
        setReason(locks.find(({ supplierName }) => supplierName === company)?.reason ?? null),
      // then the usual words stand there
      () => setReason(null),
    );
  }, [core, company]);
  const title = text(typeof reason === "string" ? "lockedTitle" : "title", { company });
  useTitle(title);
  useEffect(() => {
    closeDialogs();
    clearMessages();
    dropSession(TAGS_KEY);
  }, []);

  const run = async (what: string, work: () => Promise<unknown>): Promise<void> => {
    setBusy(what);
    try {
      await work();
    } catch (error) {
      showError(error);
    } finally {
      setBusy(null);
    }
  };
  const { session } = core.commands;
  return (
    <PlainPage
      icon="building"
      title={title}
      hint={
        reason === undefined ? "" : reason === null ? text("hint") : text("lockedHint", { reason })
      }
    >
      {employees.map(({ id, supplierName }) => (
        <PlainButton
          key={id}
          look="primary"
          loading={busy === id}
          disabled={busy !== null && busy !== id}
          onClick={() => void run(id, () => session.switchCompany({ employeeId: id }))}
        >
          {text("enter", { company: supplierName })}
        </PlainButton>
      ))}
      <PlainButton
        loading={busy === "logout"}
        disabled={busy !== null && busy !== "logout"}
        onClick={() => void run("logout", () => session.logout({}))}
      >
        {text("logout")}
      </PlainButton>
    </PlainPage>
  );
}
