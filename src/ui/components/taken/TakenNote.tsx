/**
 * In place of what a person may no longer see or change (docs/session.md#changed-rights): that it is so, and what this tab has of unsaved
 * input, to read and to copy. It shows as long as the right is gone.
 */
import { Button } from "@arco-design/web-react";
import { useState } from "react";
import { texts, useTexts } from "../../i18n/texts.ts";
import { type ReadableDraft, readableDrafts } from "../../state/form-drafts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { PlainIcon } from "../PlainIcon.tsx";
import "./taken.css";

const TEXTS = texts({
  title: ["您现在没有“{{title}}”的权限", "You have no right to “{{title}}” now"],
  hint: [
    "管理员更改了您的权限。权限恢复后，此处会自动恢复，无需刷新。",
    "An administrator changed your rights. Once you have the right again, this comes back by itself.",
  ],
  kept: [
    "以下是您尚未保存的内容。可复制到别处；权限恢复后再打开该表单，可继续填写。",
    "This is your unsaved input. You can copy it; with the right, open the form again to continue.",
  ],
  copy: ["复制内容", "Copy"],
  copied: ["已复制", "Copied"],
  copyFailed: [
    "复制失败，请选中文字后手动复制",
    "Copying failed. Select the text and copy it yourself.",
  ],
});

export function TakenNote({ title }: { readonly title: string }) {
  const text = useTexts(TEXTS);
  const { session } = useCore().state;
  const [drafts] = useState(() => readableDrafts(session, location.pathname));
  return (
    <section className="taken" role="status">
      <span className="taken-icon" aria-hidden="true">
        <PlainIcon name="lock" />
      </span>
      <h1>{text("title", { title })}</h1>
      <p>{text("hint")}</p>
      {drafts.length > 0 && <p>{text("kept")}</p>}
      {drafts.map((draft, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- two forms may be equal, and none is added
        <Draft key={index} draft={draft} />
      ))}
    </section>
  );
}

function Draft({ draft }: { readonly draft: ReadableDraft }) {
  const text = useTexts(TEXTS);
  const copy = (): void =>
    void navigator.clipboard
      .writeText(draft.lines.map((line) => `${line.label}：${line.text}`).join("\n"))
      .then(
        () => showMessage("success", text("copied")),
        // the browser gives no access, for example on a page without https
        () => showMessage("error", text("copyFailed")),
      );
  return (
    <article className="taken-draft" aria-label={draft.title}>
      <header>
        <h2>{draft.title}</h2>
        <Button size="small" onClick={copy}>
          {text("copy")}
        </Button>
      </header>
      <dl>
        {draft.lines.map(({ label, text: typed }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{typed}</dd>
          </div>
        ))}
      </dl>
    </article>
  );
}
