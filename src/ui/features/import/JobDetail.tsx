/** The rows of a job that the server refused, and the invitations that the job created. */
import { Drawer } from "@arco-design/web-react";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { PlainTabs } from "../../components/PlainTabs.tsx";
import { CloseCross } from "../../components/dialog/CloseCross.tsx";
import { useFocusBack } from "../../components/useFocusBack.ts";
import { retrying } from "../../state/retrying.ts";
import { useMediaQuery } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import { Paged, usePaging } from "./Paged.tsx";
import { Part } from "../../components/Part.tsx";

const InvitationList = lazy(() =>
  retrying(() => import("./InvitationList.tsx")).then((m) => ({ default: m.InvitationList })),
);

export function JobDetail(props: {
  readonly jobId: string;
  readonly isInvite: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  useFocusBack(() => null);
  const narrow = useMediaQuery("(max-width: 720px)");
  const invitations = {
    key: "invitations",
    title: t("imports.send.invitations"),
    content: (
      <Part onFailed={props.onClose}>
        <InvitationList jobId={props.jobId} />
      </Part>
    ),
  };
  return (
    <Drawer
      visible
      closeIcon={<CloseCross />}
      title={t("imports.jobs.detail")}
      width={narrow ? "100%" : 640}
      footer={null}
      onCancel={props.onClose}
      unmountOnExit
    >
      <PlainTabs
        label={t("imports.jobs.detail")}
        first={props.isInvite ? "invitations" : "refusals"}
        tabs={[
          {
            key: "refusals",
            title: t("imports.send.refusals"),
            content: <RefusalList jobId={props.jobId} />,
          },
          ...(props.isInvite ? [invitations] : []),
        ]}
      />
    </Drawer>
  );
}

function RefusalList({ jobId }: { readonly jobId: string }) {
  const { t } = useTranslation();
  const paging = usePaging();
  const { answer, again } = useRead(
    { call: "imports.refusals", params: { id: jobId }, query: paging.query },
    true,
  );
  return (
    <Paged
      answer={answer}
      onRetry={again}
      paging={paging}
      heads={[
        t("imports.check.row"),
        t("imports.send.refusalField"),
        t("imports.send.refusalMessage"),
      ]}
      renderRow={(one) => (
        <tr key={`${one.row}:${one.field ?? ""}:${one.message}`}>
          <td className="tnum">{one.row}</td>
          <td>{one.field ?? "–"}</td>
          <td>{one.message}</td>
        </tr>
      )}
    />
  );
}
