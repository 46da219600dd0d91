// A process that adds argv[4] policies, named after argv[3], to the file argv[2].
import { JsonPolicyStore } from '../../extension/node/settings/policy-files.ts';

const [, , path = '', name, count] = process.argv;
const store = new JsonPolicyStore(path, { warn: console.error, error: console.error });
for (let index = 0; index < Number(count); index += 1) {
  await store.add({ decision: 'allow', scope: `${name} ${index}`, created: index });
}
