/** The keys of the console, in one place. Opened by the question mark or from the user menu. */
import { Modal } from "@arco-design/web-react";
import { useFocusBack } from "../components/useFocusBack.ts";
import { texts, useTexts } from "../i18n/texts.ts";
import "./keys.css";

const TEXTS = texts({
  title: ["键盘快捷键", "Keyboard shortcuts"],
  everywhere: ["所有页面", "Everywhere"],
  lists: ["列表", "Lists"],
  talk: ["聊天", "Chat"],
  conference: ["会议", "Conference"],
  search: ["搜索页面和记录", "Find pages and records"],
  help: ["显示本帮助", "Show this help"],
  close: ["关闭对话框或菜单", "Close a dialog or a menu"],
  move: ["移到上一行、下一行", "Go to the row before or after"],
  page: ["移到上一页、下一页", "Go a screen up or down"],
  ends: ["移到第一行、最后一行", "Go to the first or the last row"],
  choose: ["选择该行", "Choose the row"],
  open: ["打开该行", "Open the row"],
  answer: ["回复选中或鼠标所指的消息", "Answer the message with the focus or the pointer"],
  editLast: ["编辑自己的上一条消息", "Edit your last message"],
  send: ["发送消息", "Send the message"],
  sound: ["静音或取消静音", "Mute or unmute"],
  camera: ["打开或关闭摄像头", "Camera on or off"],
  screen: ["共享屏幕", "Share the screen"],
  hand: ["举手或放下手", "Raise or lower the hand"],
  members: ["成员面板", "Members panel"],
  chat: ["消息面板", "Messages panel"],
  layout: ["切换布局", "Change the layout"],
  closePanel: ["关闭成员或消息面板", "Close the members or messages panel"],
});
type Line = readonly [what: keyof typeof TEXTS, keys: readonly string[]];

const GROUPS: readonly (readonly [title: keyof typeof TEXTS, lines: readonly Line[]])[] = [
  [
    "everywhere",
    [
      ["search", ["Ctrl / ⌘", "K"]],
      ["help", ["?"]],
      ["close", ["Esc"]],
    ],
  ],
  [
    "lists",
    [
      ["move", ["↑", "↓"]],
      ["page", ["Page Up", "Page Down"]],
      ["ends", ["Home", "End"]],
      ["choose", ["Space"]],
      ["open", ["Enter"]],
    ],
  ],
  [
    "talk",
    [
      ["answer", ["R"]],
      ["editLast", ["↑"]],
      ["send", ["Enter"]],
    ],
  ],
  [
    "conference",
    [
      ["sound", ["Alt", "M"]],
      ["camera", ["Alt", "V"]],
      ["screen", ["Alt", "S"]],
      ["hand", ["Alt", "H"]],
      ["members", ["Alt", "P"]],
      ["chat", ["Alt", "C"]],
      ["layout", ["Alt", "L"]],
      ["closePanel", ["Esc"]],
    ],
  ],
];

export function KeysDialog({ onClose }: { readonly onClose: () => void }) {
  const text = useTexts(TEXTS);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  return (
    <Modal
      visible
      title={text("title")}
      className="form-dialog keys"
      footer={null}
      onCancel={onClose}
    >
      {GROUPS.map(([title, lines]) => (
        <section key={title}>
          <h3>{text(title)}</h3>
          <dl>
            {lines.map(([what, keys]) => (
              <div key={what}>
                <dt>{text(what)}</dt>
                <dd>
                  {keys.map((key) => (
                    <kbd key={key} translate="no">
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Modal>
  );
}
