/** The city at the foot of the login page. Loaded apart, because nobody waits for it. */
export default function Skyline() {
  return (
    <svg className="login-skyline" viewBox="0 0 720 240" preserveAspectRatio="xMidYMax slice">
      <path
        fill="#fff"
        opacity=".07"
        d="M0 240V150h46v-34h40v34h28V88h52v62h30V60l26-18 26 18v90h34v-48h60v48h24V74h44v-30h8v30h8v76h36v-56h50v56h26v-30h44v30h30V98h52v142z"
      />
      <path
        fill="#fff"
        opacity=".1"
        d="M0 240v-52h60v-30h44v30h40v-66h36v66h44v-40h54v40h36V96l30-20 30 20v92h48v-52h44v52h36v-28h60v28h40v-44h46v96z"
      />
      <g fill="#9fd0ff" opacity=".5">
        <path d="M156 134h8v8h-8zm0 18h8v8h-8zm14 0h8v8h-8zM346 112h10v8h-10zm18 0h10v8h-10zm-18 20h10v8h-10zm18 40h10v8h-10zM466 148h8v8h-8zm16 18h8v8h-8zM242 160h8v8h-8zm18 0h8v8h-8zM686 158h8v8h-8z" />
      </g>
    </svg>
  );
}
