/** 短信验证码 (docs/server.md#sms): the codes of a demo, which has no service that sends them. */
import { formatDate } from "../../../shared/domain/format.ts";
import { ListPage } from "../../components/ListPage.tsx";
import { WithSmsNotice } from "../../features/sms/WithSmsNotice.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";

const TEXTS = texts({
  heading: ["短信验证码", "SMS codes"],
  total: ["共 {{count}} 条短信", "{{count}} {count|message|messages}"],
  failed: ["短信未能加载", "The messages could not be loaded"],
  empty: ["服务器发送的短信会显示在这里。", "Messages that the server sends appear here."],
  search: ["手机号", "Mobile number"],
  mobile: ["手机号", "Mobile number"],
  text: ["短信内容", "Message"],
  sentAt: ["发送时间", "Sent"],
  validUntil: ["有效期至", "Valid until"],
});

export default function SmsCodesPage() {
  const text = useTexts(TEXTS);
  return (
    <WithSmsNotice usage>
      <ListPage
        call="sms.outbox"
        title={text("heading")}
        total={(count) => text("total", { count })}
        search={text("search")}
        failed={text("failed")}
        empty={text("empty")}
        nameOf={({ mobile }) => mobile}
        columns={[
          {
            key: "mobile",
            title: text("mobile"),
            render: ({ mobile }) => mobile,
            verbatim: true,
            className: "tnum ellipsis",
            width: "minmax(120px, 0.6fr)",
          },
          {
            key: "text",
            title: text("text"),
            render: (row) => row.text,
            verbatim: true,
            width: "minmax(280px, 2fr)",
          },
          {
            key: "sentTime",
            title: text("sentAt"),
            render: ({ sentTime }) => formatDate(Date.parse(sentTime)),
            className: "tnum ellipsis",
            width: "minmax(168px, 1fr)",
          },
          {
            key: "expireTime",
            title: text("validUntil"),
            render: ({ expireTime }) => formatDate(Date.parse(expireTime)),
            className: "tnum ellipsis",
            width: "minmax(168px, 1fr)",
          },
        ]}
      />
    </WithSmsNotice>
  );
}
