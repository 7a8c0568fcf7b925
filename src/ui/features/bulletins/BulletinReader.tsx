/** One bulletin, to be read. */
import { Button } from "@arco-design/web-react";
import { lazy, Suspense, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../components/dialog/Dialog.tsx";
import { formatDate } from "../../../shared/domain/format.ts";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { BULLETIN_TEXTS } from "./texts.ts";
import "./bulletins.css";

const RichText = lazy(() => retrying(() => import("../../components/rich-text/RichText.tsx")));

export default function BulletinReader(props: {
  readonly noticeId: string;
  /** Whether opening it is reading it. */
  readonly marks: boolean;
  readonly onClose: () => void;
}) {
  const { noticeId, marks } = props;
  const { t } = useTranslation();
  const text = useTexts(BULLETIN_TEXTS);
  const { rest } = useCore().commands;
  const { answer, again } = useRead({ call: "bulletins.get", params: { noticeId } });
  useFocusBack(() => document.querySelector<HTMLElement>(".header-bell"));
  const shown = answer.state === "ready";
  useEffect(() => {
    if (!marks || !shown) return;
    // a mark that fails leaves the bulletin unread, and it is marked when it is opened again
    rest
      .call({ call: "bulletins.markRead", body: { noticeIds: [noticeId] } })
      .catch(() => undefined);
  }, [marks, shown, rest, noticeId]);
  return (
    <Dialog
      visible
      className="bulletin-reader"
      title={shown ? answer.data.noticeTitle : text("title")}
      onCancel={props.onClose}
      footer={
        <Button type="primary" onClick={props.onClose}>
          {text("close")}
        </Button>
      }
    >
      {shown ? (
        <article>
          <p className="bulletin-about">
            {text(answer.data.noticeType === "1" ? "notice" : "announcement")} ·{" "}
            {answer.data.createBy} ·{" "}
            <time className="tnum" dateTime={answer.data.publishTime}>
              {formatDate(Date.parse(answer.data.publishTime), "{y}-{m}-{d} {h}:{i}")}
            </time>
          </p>
          <Suspense fallback={null}>
            <RichText html={answer.data.noticeContent} />
          </Suspense>
        </article>
      ) : answer.state === "loading" ? (
        <p role="status">{t("common.loading")}</p>
      ) : (
        <p role="alert">
          {answer.error?.code === "request.not-found" ? text("gone") : text("failed")}{" "}
          {answer.error?.code !== "request.not-found" && (
            <Button size="small" onClick={again}>
              {text("retry")}
            </Button>
          )}
        </p>
      )}
    </Dialog>
  );
}
