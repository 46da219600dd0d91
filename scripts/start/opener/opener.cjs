// No setting of VS Code opens a view, so this small extension does it for whoever types `npm start`.
const { commands } = require('vscode');

exports.activate = () => commands.executeCommand('harness.chat.focus');
