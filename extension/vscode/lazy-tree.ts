import * as vscode from 'vscode';

/**
 * Creates a tree view that VS Code can query before the host is loaded. A query calls `load`. `loaded` must
 * resolve with the tree after `load` has first succeeded.
 */
export function createLazyTree<Node>(
  view: string,
  load: () => Promise<unknown>,
  loaded: Promise<vscode.TreeDataProvider<Node>>,
): vscode.TreeView<Node> {
  const changed = new vscode.EventEmitter<void>();
  void loaded.then((tree) => {
    tree.onDidChangeTreeData?.(() => changed.fire());
    changed.fire();
  });
  return vscode.window.createTreeView<Node>(view, {
    showCollapseAll: true,
    canSelectMany: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: (node) => load().then(async () => (await loaded).getChildren(node)),
      getTreeItem: async (node) => (await loaded).getTreeItem(node),
    },
  });
}
