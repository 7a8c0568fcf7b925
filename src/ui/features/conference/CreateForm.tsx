/** Form for a new conference: name and password; kind and limits in a drawer for those who may set them (docs/conferences.md#types). */
import { Button, Checkbox, Collapse, Input, InputNumber, Select } from "@arco-design/web-react";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { CONFR_LIMITS } from "../../../shared/protocol/confr-signalling.ts";
import { OPTIONS_PERMISSION } from "../../../shared/domain/conference-types.ts";
import { holdsPermission } from "../../state/held.ts";
import { displayName } from "../../state/person.ts";
import { useSlice } from "../../state/services.ts";
import type { ConferenceActions } from "./useConference.ts";

const TYPES = [10, 11, 12, 14] as const;
type Limit = keyof typeof CONFR_LIMITS;
const LIMITS = Object.keys(CONFR_LIMITS) as Limit[];

export function CreateForm(props: {
  readonly actions: ConferenceActions;
  readonly disabled: boolean;
}) {
  const { actions } = props;
  const { t } = useTranslation();
  const session = useSlice("session");
  const [name, setName] = useState(() =>
    t("conference.lobby.nameOf", { name: displayName(session) }),
  );
  const [type, setType] = useState<(typeof TYPES)[number]>(10);
  const [password, setPassword] = useState("");
  const [limits, setLimits] = useState<Record<Limit, number>>({ ...CONFR_LIMITS });
  const [audioMuted, setMuted] = useState(false);
  const [videoOff, setOff] = useState(false);
  const missing = name.trim() === "";
  const mayChoose = holdsPermission([OPTIONS_PERMISSION], session.permissions);
  const hasChosen = type !== 10 || LIMITS.some((limit) => limits[limit] !== CONFR_LIMITS[limit]);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (missing) return;
    const options = mayChoose ? { type, limits } : { type: 10 as const, limits: CONFR_LIMITS };
    void actions.create({ ...options, name: name.trim(), password, audioMuted, videoOff });
  };
  return (
    <form
      className="panel conference-form"
      onSubmit={submit}
      aria-label={t("conference.lobby.create")}
    >
      <h2>{t("conference.lobby.create")}</h2>
      <label>
        {t("conference.lobby.name")}
        <Input value={name} onChange={setName} maxLength={64} aria-invalid={missing} />
      </label>
      {missing && <p className="conference-error">{t("conference.lobby.nameNeeded")}</p>}
      <label>
        {t("conference.lobby.password")}
        <Input.Password
          value={password}
          onChange={setPassword}
          maxLength={64}
          autoComplete="new-password"
          placeholder={t("conference.lobby.passwordHint")}
        />
      </label>
      <Checkbox checked={audioMuted} onChange={setMuted}>
        {t("conference.lobby.micOff")}
      </Checkbox>
      <Checkbox checked={videoOff} onChange={setOff}>
        {t("conference.lobby.cameraOff")}
      </Checkbox>
      {!mayChoose && hasChosen && (
        <p className="conference-error" role="status">
          {t("conference.lobby.optionsTaken")}
        </p>
      )}
      {mayChoose && (
        <Collapse bordered={false} className="conference-limits">
          <Collapse.Item name="limits" header={t("conference.lobby.more")}>
            {/* No label element: it would pass a click on to the list a second time, which closes it. */}
            <div className="conference-choice">
              <span aria-hidden="true">{t("conference.lobby.type")}</span>
              <Select value={type} onChange={setType} aria-label={t("conference.lobby.type")}>
                {TYPES.map((one) => (
                  <Select.Option key={one} value={one}>
                    {t(`conference.lobby.types.${one}`)}
                  </Select.Option>
                ))}
              </Select>
            </div>
            {LIMITS.map((limit) => (
              <label key={limit}>
                {t(`conference.lobby.${limit}`)}
                <InputNumber
                  min={limit === "maxTalkerCount" ? 1 : 0}
                  max={CONFR_LIMITS[limit]}
                  precision={0}
                  value={limits[limit]}
                  onChange={(value) => {
                    if (Number.isInteger(value)) setLimits({ ...limits, [limit]: value });
                  }}
                />
              </label>
            ))}
          </Collapse.Item>
        </Collapse>
      )}
      <Button
        type="primary"
        htmlType="submit"
        disabled={props.disabled || missing}
        loading={actions.busy.has("create")}
      >
        {t("conference.lobby.create")}
      </Button>
    </form>
  );
}
