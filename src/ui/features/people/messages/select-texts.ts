/** Texts of selected and combined messages, in both languages. */
import { texts } from "../../../i18n/texts.ts";

export const SELECT_TEXTS = texts({
  toolbar: ["多选操作", "Actions on the selected messages"],
  selected: ["已选 {{count}} 条", "{{count}} selected"],
  hint: [
    "空格选择，方向键移动，Shift 连选，Esc 退出",
    "Space selects, arrows move, Shift selects a range, Escape ends",
  ],
  choose: ["选择 {{name}} 的消息：{{text}}", "Select the message of {{name}}: {{text}}"],
  tooMany: ["一次最多选择 {{max}} 条消息", "At most {{max}} messages at once"],
  each: ["逐条转发", "Forward one by one"],
  combined: ["合并转发", "Forward combined"],
  erase: ["删除", "Delete"],
  end: ["退出多选", "End the selection"],
  eraseAsk: [
    "删除选中的 {{count}} 条消息？仅从您的聊天记录中删除，对方仍可看到。",
    "Delete the {{count}} selected {count|message? It is|messages? They are} removed from your own history only; others keep {count|it|them}.",
  ],
  eachOf: ["[逐条转发] 共 {{count}} 条消息", "[One by one] {{count}} {count|message|messages}"],
  titlePerson: ["{{me}}和{{name}}的聊天记录", "Chat history of {{me}} and {{name}}"],
  titleGroup: ["群聊的聊天记录", "Chat history of a group"],
  history: ["聊天记录", "Chat history"],
  open: ["打开聊天记录：{{title}}", "Open the chat history: {{title}}"],
  other: ["[暂不支持的消息]", "[Unsupported message]"],
  none: ["没有消息", "No messages"],
  back: ["返回上一层", "Back one level"],
  messages: ["{{title}}，共 {{count}} 条消息", "{{title}}, {{count}} {count|message|messages}"],
});
