/** Whether logins of this person need a code (docs/session.md#two-factor), and what turns it on and off. */
import { Button } from "@arco-design/web-react";
import { lazy, useState } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useRead } from "../../state/useRead.ts";
import { TWO_FACTOR_TEXTS } from "./two-factor-texts.ts";
import type { TwoFactorTask } from "./TwoFactorDialogs.tsx";
import { Part } from "../../components/Part.tsx";

const TwoFactorDialogs = lazy(() =>
  retrying(() => import("./TwoFactorDialogs.tsx")).then((m) => ({ default: m.TwoFactorDialogs })),
);

export function TwoFactor() {
  const text = useTexts(TWO_FACTOR_TEXTS);
  const { answer, again } = useRead({ call: "twoFactor.get" });
  const [task, setTask] = useState<TwoFactorTask | null>(null);
  return (
    <section className="panel profile-panel">
      <h2>{text("title")}</h2>
      <ReadNote className="profile-note" answer={answer} failed={text("failed")} onRetry={again} />
      {answer.state === "ready" && (
        <div className="profile-note">
          {answer.data.on ? (
            <p>
              {text("on", { time: formatDate(Date.parse(answer.data.since ?? "")) })} ·{" "}
              {text("left", { count: answer.data.recoveryCodes })}
            </p>
          ) : (
            <p>{text("off")}</p>
          )}
          <div className="profile-actions">
            {answer.data.on ? (
              <>
                <Button onClick={() => setTask("renew")}>{text("renew")}</Button>
                <Button onClick={() => setTask("end")}>{text("end")}</Button>
              </>
            ) : (
              <Button type="primary" onClick={() => setTask("begin")}>
                {text("begin")}
              </Button>
            )}
          </div>
        </div>
      )}
      <Part onFailed={() => setTask(null)}>
        {task !== null && <TwoFactorDialogs task={task} onClose={() => setTask(null)} />}
      </Part>
    </section>
  );
}
