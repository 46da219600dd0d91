// Messages that VS Code always logs in an unsigned build or a closed network, and that are irrelevant.
const known = [
  /\/vsda\//,
  /authentication provider/i,
  /ENOTFOUND|ERR_NAME_NOT_RESOLVED|ERR_INTERNET_DISCONNECTED/,
  /No signed-in session/,
  /AgentHost|Agent Host|ChatModelSelection|AccountPolicyGate/,
  /^(\[error\] )?Canceled/,
  /\[Service Worker\] registration/,
  /connection token|Creating a socket|reconnection-grace-time|^\s*$/,
];

/** @param {string} text */
export const isNoise = (text) => known.some((pattern) => pattern.test(text));
