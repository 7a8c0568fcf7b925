/** Invites mobile numbers by SMS, and says what became of each. */
import { useState } from "react";
import { INVITE_MOBILES_MAX } from "../../../shared/protocol/rest/invitations.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import { DictTag } from "../../components/DictTag.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { DIALOG_TEXTS } from "./dialog-texts.ts";
import { INVITATION_TEXTS } from "./invitation-texts.ts";
import { mobilesIn, wrongMobiles } from "./mobiles.ts";
import { NO_POST, usePost } from "./usePost.ts";
import "./employees.css";

const HOURS = { least: 1, most: 720, usual: 72 };

export function MobileInviteDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(INVITATION_TEXTS);
  const more = useTexts(DIALOG_TEXTS);
  const { rest } = useCore().commands;
  const post = usePost();
  const [done, setDone] = useState<PageCallData<"invitations.byMobile"> | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  if (done !== null) {
    return (
      <Dialog
        visible
        title={text("results")}
        className="form-dialog"
        footer={null}
        onCancel={onClose}
      >
        <ScrollBox className="employee-scroll">
          <ul className="employee-sent" aria-label={text("results")}>
            {done.map(({ mobile, sent, reason }) => (
              <li key={mobile}>
                <span className="tnum">{mobile}</span>
                <DictTag
                  label={text(sent ? "sent" : "failed")}
                  listClass={sent ? "success" : "danger"}
                />
                {reason !== "" && <span>{reason}</span>}
              </li>
            ))}
          </ul>
        </ScrollBox>
      </Dialog>
    );
  }
  if (post === null) return null;
  return (
    <FormDialog
      title={text("byMobile")}
      intro={<p>{text("byMobileHint")}</p>}
      okText={text("sendAll")}
      fields={[
        {
          key: "mobiles",
          label: text("mobiles"),
          input: "area",
          required: true,
          hint: text("mobilesHint", { most: INVITE_MOBILES_MAX }),
          check: (value: string) => {
            const wrong = wrongMobiles(value);
            if (wrong === null) return null;
            return "at" in wrong ? text("mobilesWrong", wrong) : text("mobilesMany", wrong);
          },
        },
        {
          key: "hours",
          label: more("hours"),
          input: "number",
          required: true,
          min: HOURS.least,
          max: HOURS.most,
          step: 1,
        },
        ...post.fields,
        { key: "approval", label: more("approval"), input: "switch" },
      ]}
      values={{ mobiles: "", hours: HOURS.usual, ...NO_POST, approval: false }}
      save={async ({ mobiles, hours, approval, ...given }) => {
        const body = {
          ...post.bodyOf(given),
          mobiles: [...mobilesIn(mobiles)],
          approval,
          expiresInHours: hours ?? HOURS.usual,
        };
        setDone(await rest.call({ call: "invitations.byMobile", body }));
      }}
      onClose={onClose}
      keepOpen
    />
  );
}
