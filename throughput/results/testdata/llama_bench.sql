CREATE TABLE IF NOT EXISTS test (
  build_commit TEXT,
  build_number INTEGER,
  model_type TEXT,
  n_prompt INTEGER,
  n_gen INTEGER,
  avg_ts REAL,
  stddev_ts REAL
);

INSERT INTO test (build_commit, build_number, model_type, n_prompt, n_gen, avg_ts, stddev_ts) VALUES ('0123abcd', '6000', 'llama 7B, Q4_0', '512', '0', '2407.240204', '8.409634');
INSERT INTO test (build_commit, build_number, model_type, n_prompt, n_gen, avg_ts, stddev_ts) VALUES ('0123abcd', '6000', 'llama 7B, Q4_0', '0', '128', '130.891159', '0.537692');
