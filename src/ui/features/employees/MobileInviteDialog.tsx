/** Invites mobile numbers by SMS, and says what became of each. */
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { DEPARTMENT_MAX } from "../../../shared/domain/employee-fields.ts";
import { INVITE_MOBILES_MAX } from "../../../shared/protocol/rest/invitations.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import { DictTag } from "../../components/DictTag.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { departmentTree } from "../departments/choices.ts";
import { useDepartments } from "../departments/useDepartments.ts";
import { DIALOG_TEXTS } from "./dialog-texts.ts";
import { INVITATION_TEXTS } from "./invitation-texts.ts";
import { mobilesIn, wrongMobiles } from "./mobiles.ts";
import { useRolesToGive } from "./useRolesToGive.ts";
import "./employees.css";

const HOURS = { least: 1, most: 720, usual: 72 };

export function MobileInviteDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const text = useTexts(INVITATION_TEXTS);
  const more = useTexts(DIALOG_TEXTS);
  const { rest } = useCore().commands;
  const { rows: departments, state } = useDepartments();
  const given = useRolesToGive();
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
      </Dialog>
    );
  }
  // Until they are known nothing is asked, so that no answer is lost.
  if (state === "loading" || given === null) return null;
  const hasDepartments = departments.length > 0;
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
        {
          key: "departmentId",
          label: t("employees.fields.department"),
          input: "tree",
          nodes: departmentTree(departments),
          shownWhen: () => hasDepartments,
        },
        {
          key: "department",
          label: t("employees.fields.department"),
          max: DEPARTMENT_MAX,
          shownWhen: () => !hasDepartments,
        },
        { key: "position", label: t("employees.fields.position"), max: 100 },
        {
          key: "roleIds",
          label: more("roles"),
          input: "multi",
          look: "tags",
          options: given,
          hint: more("rolesGiven"),
          shownWhen: () => given.length > 0,
        },
        { key: "approval", label: more("approval"), input: "switch" },
      ]}
      values={{
        mobiles: "",
        hours: HOURS.usual,
        departmentId: "",
        department: "",
        position: "",
        roleIds: [],
        approval: false,
      }}
      save={async ({ mobiles, hours, departmentId = "", department = "", ...post }) => {
        const body = {
          mobiles: [...mobilesIn(mobiles)],
          position: post.position,
          roleIds: [...(post.roleIds ?? [])],
          ...(hasDepartments ? { departmentId: departmentId || null } : { department }),
          approval: post.approval,
          expiresInHours: hours ?? HOURS.usual,
        };
        setDone(await rest.call({ call: "invitations.byMobile", body }));
      }}
      onClose={onClose}
      keepOpen
    />
  );
}
