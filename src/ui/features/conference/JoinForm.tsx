/** Joining by id or invitation. */
import { Button, Checkbox, Input } from "@arco-design/web-react";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import type { ConferenceActions } from "./useConference.ts";
import { idIn } from "./view.ts";

export function JoinForm(props: {
  readonly actions: ConferenceActions;
  readonly initial: string;
  readonly locked: boolean;
  readonly disabled: boolean;
}) {
  const { actions } = props;
  const { t } = useTranslation();
  const [id, setId] = useState(props.initial);
  const [password, setPassword] = useState("");
  const [audience, setAudience] = useState(false);
  const [audioMuted, setMuted] = useState(false);
  const [videoOff, setOff] = useState(false);
  const [missing, setMissing] = useState(false);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const confrId = idIn(id);
    setMissing(confrId === "");
    if (confrId === "") return;
    void actions.join({
      confrId,
      password,
      audioMuted,
      videoOff,
      publish: !audience,
      ...(audience ? { role: 1 as const } : {}),
    });
  };
  return (
    <form
      className="panel confr-form"
      onSubmit={submit}
      aria-label={t("conference.lobby.joinById")}
    >
      <h2>{t("conference.lobby.joinById")}</h2>
      <label>
        {t("conference.lobby.id")}
        <Input value={id} onChange={setId} aria-invalid={missing} maxLength={500} />
      </label>
      {missing && <p className="confr-error">{t("conference.lobby.idNeeded")}</p>}
      <label>
        {t("conference.lobby.password")}
        <Input.Password
          value={password}
          onChange={setPassword}
          autoFocus={props.locked}
          maxLength={64}
          autoComplete="off"
        />
      </label>
      {props.locked && <p className="confr-hint">{t("conference.lobby.passwordAsk")}</p>}
      <Checkbox checked={audioMuted} onChange={setMuted}>
        {t("conference.lobby.micOff")}
      </Checkbox>
      <Checkbox checked={videoOff} onChange={setOff}>
        {t("conference.lobby.cameraOff")}
      </Checkbox>
      <Checkbox checked={audience} onChange={setAudience}>
        {t("conference.lobby.asAudience")}
      </Checkbox>
      <Button
        type="primary"
        htmlType="submit"
        disabled={props.disabled}
        loading={actions.busy.has("join")}
      >
        {t("conference.lobby.joinById")}
      </Button>
    </form>
  );
}
