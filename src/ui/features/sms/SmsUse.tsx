/** How many SMS of the last 24 hours count against which limit, and whose limit is reached (docs/server.md#sms). */
import { formatDate } from "../../../shared/domain/format.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ReadShape } from "../../components/ReadShape.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { findRoute, useMenus } from "../../state/menus.ts";
import { useMay } from "../../state/may.ts";
import { useRead } from "../../state/useRead.ts";
import "./sms.css";

const TEXTS = texts({
  title: ["最近 24 小时的短信", "SMS of the last 24 hours"],
  codes: ["本企业链接的验证码", "Codes by the company's links"],
  ownInvitations: ["本企业的邀请短信", "The company's invitations"],
  codesFull: [
    "已达上限：本企业的邀请链接不能再发送验证码，最早 {{time}} 恢复。",
    "The limit is reached: the company's links send no further code, until {{time}} at the earliest.",
  ],
  invitationsFull: [
    "已达上限：本企业不能再发送邀请短信，最早 {{time}} 恢复。链接和二维码仍可使用。",
    "The limit is reached: the company sends no further invitation by SMS, until {{time}} at the earliest. Links and QR codes still work.",
  ],
  nearest: ["全平台最接近上限的", "Nearest to a limit, whole platform"],
  who: ["对象", "Who"],
  kind: ["限制", "Limit"],
  used: ["已用 / 上限", "Used / limit"],
  state: ["状态", "State"],
  free: ["未达上限", "Not reached"],
  full: ["已达上限，最早 {{time}} 恢复", "Reached, until {{time}} at the earliest"],
  company: ["企业链接的验证码", "Codes by a company's links"],
  invitations: ["企业的邀请短信", "Invitations of a company"],
  address: ["地址获取的验证码", "Codes for an address"],
  pair: ["同一地址对同一号码", "One number from one address"],
  wrong: ["地址输错的验证码", "Wrong codes from an address"],
  unused: ["最近 24 小时没有发送短信。", "No SMS was sent in the last 24 hours."],
  failed: ["短信用量未能加载", "The number of SMS could not be loaded"],
});

type Usage = PageCallData<"sms.usage">;
/** A page of the platform's administrators, to whom the server also says whose limit is nearest. */
const OF_PLATFORM = "/monitor/applies";
const NONE = { used: 0, limit: 0, until: null };

/** Nothing for people who may neither invite nor see the platform's SMS. */
export function SmsUse() {
  const may = useMay();
  const menus = useMenus();
  const text = useTexts(TEXTS);
  const mayRead = may("sms.usage");
  const { answer, again } = useRead(mayRead ? { call: "sms.usage" } : null, true);
  if (!mayRead) return null;
  const ofPlatform = findRoute(menus, OF_PLATFORM) !== undefined;
  const shape = { codes: NONE, invitations: NONE, nearest: ofPlatform ? [] : null };
  return (
    <section className="panel sms-use" aria-label={text("title")}>
      {answer.state === "ready" ? (
        <Known usage={answer.data} />
      ) : (
        <ReadShape shape={<Known usage={shape} />}>
          <ReadNote
            className="sms-use-waits"
            answer={answer}
            failed={text("failed")}
            onRetry={again}
          />
        </ReadShape>
      )}
    </section>
  );
}

function Known({ usage: { codes, invitations, nearest } }: { readonly usage: Usage }) {
  const text = useTexts(TEXTS);
  const at = (until: string): string => formatDate(Date.parse(until));
  const own = [
    { key: "codes", label: text("codes"), full: "codesFull", ...codes },
    {
      key: "invitations",
      label: text("ownInvitations"),
      full: "invitationsFull",
      ...invitations,
    },
  ] as const;
  return (
    <div>
      <div className="sms-use-own">
        <strong>{text("title")}</strong>
        {own.map(({ key, label, used, limit, until }) => (
          <span key={key} data-full={until !== null}>
            {label} <span className="tnum">{`${used} / ${limit}`}</span>
          </span>
        ))}
      </div>
      <div role="status">
        {own.map(({ key, full, until }) =>
          until === null ? null : (
            <p key={key} className="sms-use-full">
              {text(full, { time: at(until) })}
            </p>
          ),
        )}
      </div>
      {nearest !== null && (
        <details>
          <summary>{text("nearest")}</summary>
          {nearest.length === 0 ? (
            <p>{text("unused")}</p>
          ) : (
            <ScrollBox className="sms-use-table">
              <table>
                <thead>
                  <tr>
                    <th scope="col">{text("who")}</th>
                    <th scope="col">{text("kind")}</th>
                    <th scope="col">{text("used")}</th>
                    <th scope="col">{text("state")}</th>
                  </tr>
                </thead>
                <tbody>
                  {nearest.map(({ kind, who, used, limit, until }) => (
                    <tr key={`${kind} ${who}`} data-full={until !== null}>
                      <td translate="no">{who}</td>
                      <td>{text(kind)}</td>
                      <td className="tnum">{`${used} / ${limit}`}</td>
                      <td>{until === null ? text("free") : text("full", { time: at(until) })}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </ScrollBox>
          )}
        </details>
      )}
    </div>
  );
}
