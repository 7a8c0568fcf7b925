/** 告警通知 (docs/session.md#alerts-pages): to whom alerts of the company are sent. */
import { Switch } from "@arco-design/web-react";
import "@arco-design/web-react/es/Switch/style/css.js";
import { type ReactNode, useState } from "react";
import { ALERT_LEVELS } from "../../../shared/domain/alert-rules.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import {
  alertCalls,
  type AlertChannel,
  CHANNEL_TYPES,
  WEBHOOK_FORMATS,
} from "../../../shared/protocol/rest/alerts.ts";
import { type ControlProps, formFields } from "../../components/form/kinds.ts";
import type { Values } from "../../components/form/values.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { StateDot } from "../../components/StateDot.tsx";
import {
  changedChannel,
  channelFromForm,
  channelToForm,
  isMail,
  isWebAddress,
  listedIn,
} from "../../features/alerts/channel-form.ts";
import { CHANNEL_TEXTS } from "../../features/alerts/channel-texts.ts";
import { PeopleField } from "../../features/alerts/PeopleField.tsx";
import { useAlertWords } from "../../features/alerts/words.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { useCore } from "../../state/services.ts";
import { showError, showMessage } from "../../state/show-message.ts";
import { useRead } from "../../state/useRead.ts";
import "../../features/alerts/alerts.css";

/** @param names what people are called, by account id */
const choosing =
  (names: Map<string, string>) =>
  (control: ControlProps): ReactNode => <PeopleField {...control} names={names} />;

export default function AlertChannelsPage() {
  const text = useTexts(CHANNEL_TEXTS);
  const words = useAlertWords();
  const may = useMay();
  const { rest } = useCore().commands;
  const { answer } = useRead(
    may("alertChannels.list") ? { call: "alertChannels.list", query: { limit: 1 } } : null,
    true,
  );
  const mail = answer.state !== "ready" || answer.data.mail;
  const [names] = useState(() => new Map<string, string>());
  const isType =
    (type: AlertChannel["type"]) =>
    (values: Values): boolean =>
      values["type"] === type;
  const levels = ALERT_LEVELS.map((value) => ({ value, label: words.level(value) }));
  const fieldsOf = (channel: AlertChannel | null) => {
    listedIn(channel?.type === "chat" ? channel.target : "").forEach((id, at) => {
      const name = channel?.names[at];
      if (name !== undefined && name !== "") names.set(id, name);
    });
    const types = CHANNEL_TYPES.filter(
      (type) => type !== "mail" || mail || channel?.type === "mail",
    );
    return formFields([
      { key: "name", label: text("name"), required: true, max: 50 },
      {
        key: "type",
        label: text("type"),
        input: "select",
        required: true,
        options: types.map((value) => ({ value, label: text(value) })),
        ...(mail ? {} : { hint: text("noMail") }),
      },
      {
        key: "people",
        label: text("people"),
        required: true,
        hint: text("peopleHint"),
        control: choosing(names),
        shownWhen: isType("chat"),
        say: (value) =>
          listedIn(value)
            .map((id) => names.get(id) ?? id)
            .join("、"),
      },
      {
        key: "address",
        label: text("address"),
        input: "area",
        required: true,
        max: 1000,
        hint: text("addressHint"),
        shownWhen: isType("webhook"),
        check: (value) => (isWebAddress(value) ? null : text("addressHint")),
      },
      {
        key: "format",
        label: text("format"),
        input: "select",
        required: true,
        options: WEBHOOK_FORMATS.map((value) => ({ value, label: text(value) })),
        shownWhen: isType("webhook"),
      },
      {
        key: "secret",
        label: text("secret"),
        input: "password",
        max: 200,
        hint: text(channel?.signed === true ? "secretKept" : "secretNew"),
        shownWhen: (values) => isType("webhook")(values) && values["unsign"] !== true,
      },
      {
        key: "unsign",
        label: text("unsign"),
        input: "switch",
        shownWhen: (values) => isType("webhook")(values) && channel?.signed === true,
      },
      {
        key: "mails",
        label: text("mails"),
        input: "area",
        required: true,
        max: 1000,
        hint: text("mailsHint"),
        shownWhen: isType("mail"),
        check: (value) => {
          const wrong = listedIn(value).find((one) => !isMail(one));
          return wrong === undefined ? null : text("badMail", { mail: wrong });
        },
      },
      {
        key: "leastLevel",
        label: text("leastLevel"),
        input: "select",
        required: true,
        hint: text("leastLevelHint"),
        options: levels,
      },
      {
        key: "language",
        label: text("language"),
        input: "select",
        required: true,
        options: (["zh", "en"] as const).map((value) => ({ value, label: text(value) })),
      },
      { key: "on", label: text("on"), input: "switch" },
    ]);
  };
  const targetOf = ({ type, target, names: called }: AlertChannel): string =>
    type === "chat" ? called.filter(Boolean).join("、") || target : target;
  const test = ({ id, name }: AlertChannel): void => {
    showMessage("info", text("testing", { name }));
    rest
      .call({ call: "alertChannels.test", params: { id } })
      .then(
        ({ success, error }) =>
          success
            ? showMessage("success", text("testArrived", { name }))
            : showMessage("error", text("testFailed", { name, error })),
        showError,
      );
  };
  return (
    <ListPage
      call="alertChannels.list"
      title={text("title")}
      total={(count) => text("total", { count })}
      search={text("search")}
      failed={text("failed")}
      empty={text("empty")}
      summary={mail ? null : <p className="alert-note">{text("noMail")}</p>}
      nameOf={({ name }) => name}
      columns={[
        {
          key: "on",
          title: text("on"),
          render: (channel) =>
            may("alertChannels.update") ? (
              <OnSwitch channel={channel} />
            ) : (
              text(channel.on ? "on" : "off")
            ),
          cell: ({ on }) => text(on ? "on" : "off"),
          width: "minmax(80px, 0.3fr)",
        },
        {
          key: "name",
          title: text("name"),
          verbatim: true,
          render: ({ name }) => name,
          width: "minmax(140px, 1fr)",
        },
        {
          key: "type",
          title: text("type"),
          render: ({ type, format }) =>
            type === "webhook" && format !== "json" ? text(format) : text(type),
          width: "minmax(120px, 0.6fr)",
        },
        {
          key: "target",
          title: text("target"),
          verbatim: true,
          render: (channel) => <span title={targetOf(channel)}>{targetOf(channel)}</span>,
          cell: targetOf,
          width: "minmax(200px, 1.6fr)",
        },
        {
          key: "leastLevel",
          title: text("leastLevel"),
          render: ({ leastLevel }) =>
            leastLevel === "critical"
              ? words.level(leastLevel)
              : text("leastLevelOf", { level: words.level(leastLevel) }),
          width: "minmax(112px, 0.5fr)",
        },
        {
          key: "last",
          title: text("last"),
          render: ({ last }) =>
            last === null ? (
              text("never")
            ) : (
              <span title={last.error}>
                <StateDot tone={last.success ? "good" : "bad"}>
                  {text(last.success ? "arrived" : "notArrived")}
                </StateDot>{" "}
                <span className="tnum">{formatDate(Date.parse(last.time), "{m}-{d} {h}:{i}")}</span>
              </span>
            ),
          cell: ({ last }) => (last === null ? null : new Date(last.time)),
          width: "minmax(184px, 0.9fr)",
        },
        {
          key: "error",
          title: text("error"),
          render: ({ last }) => last?.error || null,
          width: "minmax(140px, 1fr)",
        },
      ]}
      form={{
        calls: { create: "alertChannels.create", edit: "alertChannels.update" },
        createTitle: text("create"),
        editTitle: text("edit"),
        fields: fieldsOf,
        record: (channel) => channel,
        read: (record) =>
          channelToForm(alertCalls.alertChannelUpdate.data.parse(record), words.language),
        values: (channel) => channelToForm(channel, words.language),
        save: (channel, values, changed, version) =>
          channel === null
            ? rest.call({ call: "alertChannels.create", body: channelFromForm(values, null) })
            : rest.call({
                call: "alertChannels.update",
                body: { id: channel.id, version, ...changedChannel(changed, channel) },
              }),
      }}
      remove={{
        call: "alertChannels.delete",
        run: (rows) =>
          Promise.all(
            rows.map(({ id }) => rest.call({ call: "alertChannels.delete", params: { id } })),
          ),
      }}
      rowActions={[{ label: text("test"), call: "alertChannels.test", onClick: test }]}
    />
  );
}

function OnSwitch({ channel }: { readonly channel: AlertChannel }) {
  const text = useTexts(CHANNEL_TEXTS);
  const { rest } = useCore().commands;
  const [busy, setBusy] = useState(false);
  const { id, version, name } = channel;
  const change = (on: boolean): void => {
    setBusy(true);
    rest
      .call({ call: "alertChannels.update", body: { id, version, on } })
      .then(() => showMessage("success", text(on ? "turnedOn" : "turnedOff")), showError)
      .finally(() => setBusy(false));
  };
  return (
    <Switch
      size="small"
      checked={channel.on}
      loading={busy}
      aria-label={text("switchOf", { name })}
      data-call="alertChannels.update"
      onChange={change}
    />
  );
}
