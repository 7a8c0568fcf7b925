/** What to do about the shipped rules of the platform: its servers, and all browsers together. */
import { type Guide, line } from "./guide-lines.ts";

export const PLATFORM_GUIDES: Readonly<Record<string, Guide>> = {
  "database-away": {
    look: [
      line(
        "数据库是否在运行：查看 PostgreSQL 服务的状态和日志，磁盘是否已满。",
        "Does the database run? Look at the state and the log of PostgreSQL, and whether its disk is full.",
      ),
      line(
        "服务器主机能否连到 DATABASE_URL 中的地址和端口；密码或证书最近是否更换过。",
        "Does the server reach the address and port of DATABASE_URL? Was the password or the certificate changed?",
      ),
      line(
        "中断前数据库是否已经变慢，连接数是否用尽。",
        "Was the database slow before, or were its connections used up?",
        "database",
      ),
    ],
    act: [
      line(
        "恢复数据库。服务器会自己重新连接，不需要重启；/healthz 变回 200 表示已恢复。",
        "Bring the database back. The server connects again by itself, without a restart; /healthz is 200 again then.",
      ),
      line(
        "磁盘已满时先腾出空间，不要删除数据库自己的文件。",
        "If the disk is full, make room first; do not delete files of the database itself.",
      ),
      line(
        "数据损坏时从备份恢复，并通知各企业可能丢失的时间段。",
        "If data are damaged, restore the backup, and tell the companies which time may be lost.",
      ),
    ],
  },
  "process-gone": {
    look: [
      line(
        "该进程的日志最后几行：未捕获的错误、内存不足，或是被人停止。",
        "The last lines of its log: an uncaught error, no memory left, or somebody stopped it.",
      ),
      line(
        "消失前的内存和事件循环延迟。",
        "Memory and the delay of the event loop before it was gone.",
        "processes",
      ),
      line(
        "系统日志中是否有“out of memory”结束进程的记录。",
        "Does the log of the system say that it ended the process for want of memory?",
      ),
    ],
    act: [
      line(
        "重新启动该进程。连接它的浏览器会自动连到其他进程，会议由各参与者重新加入。",
        "Start it again. Browsers that were connected to it go to another process by themselves; people join conferences again.",
      ),
      line(
        "确认负载均衡只把请求转给 /healthz 为 200 的进程。",
        "See that the load balancer sends requests only to processes whose /healthz is 200.",
      ),
      line(
        "如果反复出现，保留日志，退回上一个版本。",
        "If it happens again, keep the log and go back to the build before.",
      ),
    ],
  },
  "media-node-gone": {
    look: [
      line("媒体节点的流量和重启次数。", "Traffic and restarts of the media node.", "media"),
      line(
        "服务器日志中媒体进程的最后几行；使用 Janus 时查看 JANUS_URL 的地址是否可达。",
        "The last lines of the media process in the server's log; with Janus, whether JANUS_URL can be reached.",
      ),
      line("受影响的会议和通话。", "The conferences and calls that it concerns.", "calls"),
    ],
    act: [
      line(
        "内置的媒体进程会自动重新启动，参与者会重新发布声音和画面；等待一分钟。",
        "The embedded media process starts again by itself, and members publish again; wait a minute.",
      ),
      line(
        "仍未恢复时，检查 MEDIA_PORT 的 UDP 端口是否被占用或被防火墙拦截，然后重启该节点。",
        "If it stays away, see whether something else holds the UDP port of MEDIA_PORT or a firewall closes it, then restart the node.",
      ),
      line(
        "配置了多个节点时，新的会议会使用其他节点。",
        "With several nodes, new conferences use the others.",
      ),
    ],
  },
  "http-failures": {
    look: [
      line("失败集中在哪个接口，从什么时候开始。", "Which routes fail, and since when.", "http"),
      line(
        "服务器日志中 level 为 error 的行，按 requestId 查找同一请求。",
        "Lines of the server's log with level error; the requestId leads to all of one request.",
      ),
      line("数据库是否变慢或无法访问。", "Is the database slow or away?", "database"),
      line("人们在页面上看到的错误。", "The errors that people see in their pages.", "errors"),
    ],
    act: [
      line(
        "刚发布过新版本时，先退回上一个版本，再查原因。",
        "After a new build, go back to the one before first and search the cause then.",
      ),
      line(
        "503 说明等待数据库或达到上限：处理数据库，或提高 MAX_CONNECTIONS。",
        "The status 503 means that it waits for the database or that a limit is reached: mend the database, or raise MAX_CONNECTIONS.",
      ),
      line(
        "只有一个接口失败时，把日志中的堆栈交给开发人员。",
        "If one route alone fails, give the stack of the log to the developers.",
      ),
    ],
  },
  "http-slow": {
    look: [
      line(
        "最慢的接口表：哪些接口慢，次数多少。",
        "The slowest routes, and how often each is asked.",
        "http",
      ),
      line(
        "数据库查询耗时是否同时升高。",
        "Did the time of a database query rise as well?",
        "database",
      ),
      line("处理器和事件循环延迟。", "Processor and the delay of the event loop.", "processes"),
      line("是否正在导入或运行定时任务。", "Does an import or a scheduled task run?", "tasks"),
    ],
    act: [
      line(
        "是数据库慢：查看运行最久的语句，必要时结束它们。",
        "If the database is slow: look at the statements that run longest, and end them if needed.",
      ),
      line(
        "是进程繁忙：增加一个进程（REDIS_URL、PROCESS_URL），分担请求。",
        "If the process is busy: add a process (REDIS_URL, PROCESS_URL) that shares the requests.",
      ),
      line(
        "是大量导出或导入：等待其结束，并请人们错开时间。",
        "If it is an export or import of many rows: wait for its end, and ask people for another time.",
      ),
    ],
  },
  "database-slow": {
    look: [
      line(
        "变慢从什么时候开始，是否与请求数一起上升。",
        "Since when, and together with more requests?",
        "database",
      ),
      line(
        "数据库主机的处理器、磁盘和可用内存；是否有正在运行的备份。",
        "Processor, disk and free memory of the database's machine, and whether a backup runs.",
      ),
      line(
        "数据库的 pg_stat_activity 中运行最久的语句和等待锁的语句。",
        "The statements in pg_stat_activity that run longest, and those that wait for a lock.",
      ),
      line("定时任务是否正在运行。", "Does a scheduled task run?", "tasks"),
    ],
    act: [
      line(
        "结束挡住其他语句的那一条（pg_terminate_backend）。",
        "End the statement that blocks the others (pg_terminate_backend).",
      ),
      line(
        "磁盘繁忙时推迟备份和导入；表很久没有清理时执行 VACUUM ANALYZE。",
        "With a busy disk, put off backups and imports; VACUUM ANALYZE tables that were long not cleaned.",
      ),
      line(
        "仍然不够时给数据库更多内存或更快的磁盘。",
        "If that is not enough, give the database more memory or a faster disk.",
      ),
    ],
  },
  "event-loop": {
    look: [
      line(
        "处理器、事件循环延迟从什么时候升高。",
        "Since when processor and delay are high.",
        "processes",
      ),
      line("同一时间的导入和导出。", "Imports and exports of the same time.", "http"),
      line("是否有定时任务正在运行。", "Does a scheduled task run?", "tasks"),
    ],
    act: [
      line(
        "等待正在运行的导入、导出或任务结束；不急的任务先暂停。",
        "Wait for the end of imports, exports and tasks; pause tasks that can wait.",
      ),
      line(
        "长期繁忙时增加一个服务器进程，或换处理器更多的主机。",
        "If it is busy all the time, add a process of the server or a machine with more processors.",
      ),
      line(
        "没有明显原因时，记录该进程的 /metrics 和日志后重启它。",
        "Without a cause in sight, keep its /metrics and log, then restart it.",
      ),
    ],
  },
  memory: {
    look: [
      line(
        "内存是一直上升，还是只在某一时刻升高。",
        "Does memory rise all the time, or once?",
        "processes",
      ),
      line(
        "“其中脚本”是否一起上升：是，则数据留在进程中；否，则是文件或媒体缓冲。",
        "Does “Script” rise with it? If so, data stay in the process; if not, it is buffers of files or media.",
        "processes",
      ),
      line(
        "同一时间的连接、聊天消息和导入的行。",
        "Connections, messages and imported rows of the same time.",
        "chat",
      ),
    ],
    act: [
      line(
        "一直上升：在人少的时候重启该进程，并把曲线交给开发人员。",
        "If it rises all the time: restart the process while few people work, and give the chart to the developers.",
      ),
      line(
        "只升高一次：确认是哪次导入或导出，拆成小份再做。",
        "If it rose once: find the import or export, and do it in smaller parts.",
      ),
      line(
        "人数确实增加：提高主机内存，或增加进程并相应调高阈值。",
        "If there are more people: give the machine more memory or add a process, and raise the limit.",
      ),
    ],
  },
  "logins-refused": {
    look: [
      line(
        "登录日志：失败的是同一账号、同一地址，还是所有人。",
        "Sign-in log: one account, one address, or everybody?",
        "signIns",
      ),
      line("登录成功的次数是否同时下降。", "Are there fewer successful logins as well?", "logins"),
      line("短信验证码是否能收到。", "Do codes by SMS arrive?"),
    ],
    act: [
      line(
        "同一地址反复尝试：在防火墙或代理上拦截该地址。",
        "If one address tries again and again: close it in the firewall or the proxy.",
      ),
      line(
        "针对同一账号：请本人修改密码，并开启两步验证；结束陌生的登录。",
        "If one account is meant: its person changes the password and turns on two-step verification; end logins that nobody knows.",
        "online",
      ),
      line(
        "所有人都失败：按“接口大量失败”处理，并检查短信服务。",
        "If nobody can log in: go on as for “Many requests fail”, and look at the SMS service.",
        "http",
      ),
    ],
  },
  "cores-vanish": {
    look: [
      line("哪个版本、哪种浏览器变少。", "Which builds and browsers are fewer.", "fleet"),
      line(
        "是否有服务器进程消失，或连接被拒绝。",
        "Is a process of the server gone, or are connections refused?",
        "processes",
      ),
      line(
        "连接中断的原因：网络、服务器停止，还是登录失效。",
        "Why connections were lost: network, server, or logins that ended.",
        "fleet",
      ),
    ],
    act: [
      line(
        "服务器或代理有故障：先恢复它，浏览器会自己重新连接。",
        "If server or proxy failed: bring it back; browsers connect again by themselves.",
      ),
      line(
        "只有一家企业或一个地区：请对方检查网络出口和防火墙。",
        "If one company or region is gone: ask it to look at its line and firewall.",
      ),
      line(
        "下班或放假时间的正常减少：静默这条规则，或调高“至少”的数量。",
        "If people simply went home: silence the rule, or raise its least number.",
      ),
    ],
  },
};
