import { writeFileSync, mkdtempSync, openSync, writeSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { edit } from '/work/main/extension/core/tools/edit.ts';
import { read } from '/work/main/extension/core/tools/read.ts';
import { write } from '/work/main/extension/core/tools/write.ts';
import { listDir } from '/work/main/extension/core/tools/list-dir.ts';
import { bash } from '/work/main/extension/core/tools/bash.ts';
import { NodeShell } from '/work/main/extension/node/node-shell.ts';
import { bench, diskWorkspace } from '/work/main/test/unit/tools/call-tool.ts';
const d = mkdtempSync('/tmp/measure-');
const b = bench(diskWorkspace(d));
async function time(name: string, f: () => Promise<unknown>, n = 5) { const ts: number[] = []; for (let i=0;i<n;i++){ const t=performance.now(); await f(); ts.push(performance.now()-t);} ts.sort((a,b)=>a-b); console.log(name, ts[n>>1]!.toFixed(1),'ms', 'rss', Math.round(process.memoryUsage().rss/1e6)); }
writeFileSync(join(d,'five'), 'some line of an ordinary length é\n'.repeat(150_000));
writeFileSync(join(d,'small'), 'x\n'.repeat(100));
writeFileSync(join(d,'nl'), '\n'.repeat(10*1024*1024));
await time('read small', () => b.call(read,{path:'small'}), 50);
await time('edit small', () => b.call(edit,{path:'small',operations:[{op:'replace',startLine:5,endLine:5,content:[String(Math.random())]}]}), 30);
await time('read 5MB', () => b.call(read,{path:'five'}));
await time('edit 5MB 1 op', () => b.call(edit,{path:'five',operations:[{op:'replace',startLine:70000,endLine:70000,content:[String(Math.random())]}]}));
await time('edit 5MB 2 far ops', () => b.call(edit,{path:'five',operations:[{op:'replace',startLine:7,endLine:7,content:[String(Math.random())]},{op:'replace',startLine:140000,endLine:140000,content:[String(Math.random())]}]}));
await time('edit 10M newlines', () => b.call(edit,{path:'nl',operations:[{op:'replace',startLine:70000,endLine:70000,content:['']}]}),2);
await time('list_dir', () => b.call(listDir,{path:'.'}), 20);
await time('bash true', () => b.call(bash,{command:'true'}), 20);
await time('bash yes|head -c 1GB', () => b.call(bash,{command:'yes | head -c 1000000000'}), 1);
const fd = openSync(join(d,'big'),'w'); const chunk='a line of forty characters, more or less\n'.repeat(250_000); for (let i=0;i<100;i++) writeSync(fd,chunk); closeSync(fd);
await time('read 1GB line 1', () => b.call(read,{path:'big',start_line:1,end_line:100}));
await time('read 1GB last line', () => b.call(read,{path:'big',start_line:25_000_000}),2);
const sh = new NodeShell();
for (const c of ['sleep 100','setsid sleep 100 & wait',"trap '' TERM; while :; do sleep 1; done", 'for i in $(seq 200); do setsid sleep 100 & done; wait']) {
  const a = new AbortController(); const p = sh.run({command:c,cwd:d,timeoutMs:1e5,maxBytes:1e6},()=>{},a.signal); await new Promise(r=>setTimeout(r,700)); const t=performance.now(); a.abort(); const r = await p; console.log('cancel', JSON.stringify(c), r.end, (performance.now()-t).toFixed(0),'ms');
}
const { rmSync } = await import('node:fs'); rmSync(d,{recursive:true});
