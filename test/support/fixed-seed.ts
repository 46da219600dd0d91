import fc from 'fast-check';

// Every run tries the same cases, so that a failure is one of the change at hand. HARNESS_SEED tries others.
fc.configureGlobal({ seed: Number(process.env.HARNESS_SEED ?? 20_261_121) });
