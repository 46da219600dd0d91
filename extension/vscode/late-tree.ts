import * as vscode from 'vscode';

/** A tree of which VS Code asks before the host is loaded. */
export function createLateTree<Node>(
  view: string,
  load: () => Promise<vscode.TreeDataProvider<Node>>,
): vscode.TreeView<Node> {
  const changed = new vscode.EventEmitter<void>();
  let loaded: Promise<vscode.TreeDataProvider<Node>> | undefined;
  const provider = () => {
    loaded ??= load().then((tree) => {
      tree.onDidChangeTreeData?.(() => changed.fire());
      return tree;
    });
    return loaded;
  };
  return vscode.window.createTreeView<Node>(view, {
    showCollapseAll: true,
    canSelectMany: true,
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      getChildren: async (node) => (await provider()).getChildren(node),
      getTreeItem: async (node) => (await provider()).getTreeItem(node),
    },
  });
}
