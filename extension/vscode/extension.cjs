// The name that package.json gives VS Code. It is CommonJS by its ending, and loads the ES module beside it in dist/.
const load = () => import('./extension.js');

exports.activate = async (context) => (await load()).activate(context);
exports.deactivate = async () => (await load()).deactivate();
