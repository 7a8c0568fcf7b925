/** 个人中心 (docs/session.md#profile): own data, password, logins. */
import { Button } from "@arco-design/web-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { formatDate } from "../../../shared/domain/format.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { FormDialog } from "../../components/form/FormDialog.tsx";
import { ReadNote } from "../../components/ReadNote.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { retrying } from "../../state/retrying.ts";
import { useCore } from "../../state/services.ts";
import { showMessage, showError } from "../../state/show-message.ts";
import { useRead } from "../../state/useRead.ts";
import { useSmsSender } from "../sms/useSmsSender.ts";
import { Logins } from "./Logins.tsx";
import { PROFILE_TEXTS } from "./texts.ts";
import { TwoFactor } from "./TwoFactor.tsx";
import { Part } from "../../components/Part.tsx";
import "./profile.css";

const PasswordDialog = lazy(() => retrying(() => import("./PasswordDialog.tsx")));
const MobileDialog = lazy(() => retrying(() => import("./MobileDialog.tsx")));
const AvatarDialog = lazy(() =>
  retrying(() => import("./AvatarDialog.tsx")).then((m) => ({ default: m.AvatarDialog })),
);

const OwnDocuments = lazy(() => retrying(() => import("../documents/OwnDocuments.tsx")));

type Profile = PageCallData<"profile.get">;

export function ProfilePage() {
  const text = useTexts(PROFILE_TEXTS);
  const { answer, again } = useRead({ call: "profile.get" });
  const { session } = useCore().commands;
  const [dialog, setDialog] = useState<"data" | "password" | "mobile" | "picture" | null>(null);
  const sends = useSmsSender();
  const close = (): void => setDialog(null);
  return (
    <div className="profile">
      <section className="panel profile-panel">
        <h1>{text("title")}</h1>
        {answer.state === "ready" ? (
          <Data
            profile={answer.data}
            onPicture={() => setDialog("picture")}
            actions={
              <>
                <Button type="primary" onClick={() => setDialog("data")}>
                  {text("edit")}
                </Button>
                <Button onClick={() => setDialog("password")}>{text("password")}</Button>
                {sends === true && (
                  <Button onClick={() => setDialog("mobile")}>
                    {text(answer.data.mobile === "" ? "mobileFirst" : "mobileChange")}
                  </Button>
                )}
                {sends === false && <p className="profile-note">{text("mobileNoSms")}</p>}
              </>
            }
          />
        ) : (
          <ReadNote
            className="profile-note"
            answer={answer}
            failed={text("failed")}
            onRetry={again}
          />
        )}
      </section>
      <Suspense
        fallback={
          <section className="panel profile-panel" hidden>
            <p className="page-waits-loading" />
          </section>
        }
      >
        <OwnDocuments />
      </Suspense>
      <TwoFactor />
      <Logins />
      {dialog === "data" && answer.state === "ready" && (
        <DataDialog profile={answer.data} onClose={close} />
      )}
      <Part onFailed={close}>
        {dialog === "password" && answer.state === "ready" && (
          <PasswordDialog bySms={sends === true && answer.data.mobile !== ""} onClose={close} />
        )}
        {dialog === "mobile" && answer.state === "ready" && (
          <MobileDialog before={answer.data.mobile} onClose={close} />
        )}
        {dialog === "picture" && answer.state === "ready" && (
          <AvatarDialog
            removable={answer.data.avatar !== ""}
            onClose={close}
            // the frame shows the session's picture
            onSaved={() => void session.loadInfo({}).catch(showError)}
          />
        )}
      </Part>
    </div>
  );
}

function Data({
  profile,
  actions,
  onPicture,
}: {
  readonly profile: Profile;
  readonly actions: ReactNode;
  readonly onPicture: () => void;
}) {
  const text = useTexts(PROFILE_TEXTS);
  const rows = [
    [text("username"), profile.username],
    [text("nickname"), profile.nickname],
    [text("mobile"), profile.mobile === "" ? text("noMobile") : profile.mobile],
    [text("introduction"), profile.introduction === "" ? "–" : profile.introduction],
    [text("created"), formatDate(Date.parse(profile.createTime))],
  ];
  return (
    <div className="profile-data">
      <button type="button" className="profile-face" onClick={onPicture}>
        <Avatar name={profile.nickname} src={profile.avatar} size={72} />
        <span className="profile-face-edit">{text("picture")}</span>
      </button>
      <dl>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <div className="profile-actions">{actions}</div>
    </div>
  );
}

function DataDialog({
  profile,
  onClose,
}: {
  readonly profile: Profile;
  readonly onClose: () => void;
}) {
  const text = useTexts(PROFILE_TEXTS);
  const { rest, session } = useCore().commands;
  const { nickname, introduction } = profile;
  return (
    <FormDialog
      title={text("edit")}
      fields={[
        { key: "nickname", label: text("nickname"), required: true, max: 32 },
        { key: "introduction", label: text("introduction"), input: "area", max: 200 },
      ]}
      values={{ nickname, introduction }}
      save={(_values, changed) => rest.call({ call: "profile.update", body: changed })}
      onClose={onClose}
      onSaved={() => {
        showMessage("success", text("saved"));
        // the name in the frame comes from the session
        session.loadInfo({}).catch(showError);
      }}
    />
  );
}
