/** Makes links by which people join the company. */
import { useState } from "react";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useTexts } from "../../i18n/texts.ts";
import { InviteLinks, type ShownLinks } from "./InviteLinks.tsx";
import { SmsNotice } from "../sms/SmsNotice.tsx";
import { NO_POST, usePost } from "./usePost.ts";
import { useCore } from "../../state/services.ts";
import { DIALOG_TEXTS } from "./dialog-texts.ts";
import { EMPLOYEE_TEXTS } from "./texts.ts";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import "./employees.css";

const HOURS = { least: 1, most: 720, usual: 72 };
const LINKS = { least: 1, most: 50, usual: 1 };
/** As the call says. */
const USES_MAX = 500;
/** Most posts for which people are invited at once. */
const POSTS_MOST = 5;
const POST = { ...NO_POST, count: LINKS.usual };

export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(EMPLOYEE_TEXTS);
  const more = useTexts(DIALOG_TEXTS);
  const { rest } = useCore().commands;
  const post = usePost();
  const [made, setMade] = useState<ShownLinks | null>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  if (made !== null) {
    return (
      <Dialog
        visible
        title={text("invite")}
        className="form-dialog"
        footer={null}
        onCancel={onClose}
      >
        <InviteLinks {...made} />
      </Dialog>
    );
  }
  if (post === null) return null;
  return (
    <FormDialog
      title={text("invite")}
      intro={
        <>
          <SmsNotice />
          <p>{more("inviteHint")}</p>
        </>
      }
      okText={more("inviteMake")}
      fields={[
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
          key: "uses",
          label: more("uses"),
          input: "number",
          required: true,
          min: 1,
          max: USES_MAX,
          step: 1,
        },
        { key: "approval", label: more("approval"), input: "switch" },
        {
          key: "posts",
          label: more("posts"),
          input: "groups",
          least: 1,
          most: POSTS_MOST,
          fresh: POST,
          fields: [
            ...post.fields,
            {
              key: "count",
              label: more("linkCount"),
              input: "number",
              required: true,
              min: LINKS.least,
              max: LINKS.most,
              step: 1,
            },
          ],
        },
      ]}
      values={{ hours: HOURS.usual, uses: 1, approval: false, posts: [POST] }}
      save={async ({ hours, uses, approval, posts }) => {
        const wanted = posts.flatMap(({ count, ...one }) =>
          Array.from({ length: count ?? 0 }, () => one),
        );
        const bodies = wanted.map((one) => ({
          ...post.bodyOf(one),
          uses: uses ?? 1,
          approval,
          expiresInHours: hours ?? HOURS.usual,
        }));
        const answers = await Promise.all(
          bodies.map((body) => rest.call({ call: "employees.invite", body })),
        );
        const links = answers.map(({ link }) => new URL(link, location.origin).href);
        // with several posts a line says which link is for which
        const named = links.map((link, at) =>
          [post.nameOf(wanted[at] ?? {}), link].filter((part) => part !== "").join(" "),
        );
        setMade({
          links: posts.length === 1 ? links : named,
          expiresAt: answers[0]?.expiresAt ?? "",
          uses: uses ?? 1,
        });
      }}
      onClose={onClose}
      keepOpen
    />
  );
}
