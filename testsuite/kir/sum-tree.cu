/* sum.c:3 sum */
PG_KERNEL (sum_tree, 64, 64)
{
  const char *args = blob.bytes;
  PG_SHARED (shared, 512);
  pg_i8 v12, v22, v34, v45, v69, v74, v89, v112, v117, v132;
  pg_i32 v19, v21, v27, v38, v42, v49, v119, v123, v124, v128;
  pg_i64 v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v16, v18, v24, v26, v29, v41, v44, v48, v52, v53, v55;
  pg_i64 v58, v59, v62, v66, v71, v72, v73, v78, v87, v91, v94, v95, v97, v101, v102, v105, v109, v114;
  pg_i64 v115, v116, v121, v130, v134, v137, v138, v140;
  pg_f64 v13, v15, v25, v32, v36, v40, v47, v76, v80, v81, v85;
  pg_ptr v30, v31, v50, v56, v60, v63, v79, v92, v98, v103, v106, v122, v135, v141;
  v1 = threadIdx.x;
  v2 = blockDim.x;
  v3 = blockIdx.x;
  v4 = gridDim.x;
  v5 = v3 * v2;
  v6 = v5 + v1;
  v7 = v4 * v2;
  v8 = *(const pg_i64 *) (args + 32);
  v9 = *(const pg_i64 *) (args + 40);
  v10 = v8 + v6;
  v12 = v6 == 0ull;
  v13 = *(const pg_f64 *) (args + 8);
  v15 = v12 ? v13 : PG_F64_OF (0x0ull) /* 0 */;
  v16 = *(const pg_i64 *) (args + 16);
  v18 = v12 ? v16 : 0ull;
  v19 = *(const pg_i32 *) (args + 24);
  v21 = v12 ? v19 : 0u;
  v22 = (pg_s64) v10 < (pg_s64) v9;
  if (v22) { v24 = v10; v25 = v15; v26 = v18; v27 = v21; goto b1; } else { v47 = v15; v48 = v18; v49 = v21; goto b5; }
 b1:
  v29 = v24 << 3;
  v30 = *(const pg_ptr *) (args + 0);
  v31 = v30 + (pg_s64) v29;
  v32 = *(const pg_f64 *) v31; // sum.c:4
  v34 = PG_F64_OF (0x4014000000000000ull) /* 5 */ < v32; // sum.c:4
  if (v34) goto b2; else { v40 = v25; v41 = v26; v42 = v27; goto b3; }
 b2:
  v36 = v25 + v32; // sum.c:5
  v38 = v27 + 1u;
  { v40 = v36; v41 = v24; v42 = v38; goto b3; }
 b3:
  goto b4;
 b4:
  v44 = v24 + v7;
  v45 = (pg_s64) v44 < (pg_s64) v9;
  if (v45) { v24 = v44; v25 = v40; v26 = v41; v27 = v42; goto b1; } else { v47 = v40; v48 = v41; v49 = v42; goto b5; }
 b5:
  v50 = *(const pg_ptr *) (args + 56);
  v52 = 1ull * v7;
  v53 = v52 + v6;
  v55 = v53 << 3;
  v56 = v50 + (pg_s64) v55;
  *(pg_i64 *) v56 = v48;
  v58 = threadIdx.x;
  v59 = blockDim.x;
  v60 = shared + 0;
  v62 = v58 << 3;
  v63 = v60 + (pg_s64) v62;
  *(pg_f64 *) v63 = v47;
  { v66 = v59; goto b6; }
 b6:
  __syncthreads ();
  v69 = 1ll < (pg_s64) v66;
  if (v69) goto b7; else goto b10;
 b7:
  v71 = v66 + 1ull;
  v72 = (pg_i64) (v71 >> 1);
  v73 = v58 + v72;
  v74 = (pg_s64) v73 < (pg_s64) v66;
  if (v74) goto b8; else goto b9;
 b8:
  v76 = *(const pg_f64 *) v63;
  v78 = v73 << 3;
  v79 = v60 + (pg_s64) v78;
  v80 = *(const pg_f64 *) v79;
  v81 = v76 + v80;
  *(pg_f64 *) v63 = v81;
  goto b9;
 b9:
  { v66 = v72; goto b6; }
 b10:
  v85 = *(const pg_f64 *) v63;
  __syncthreads ();
  v87 = threadIdx.x;
  v89 = v87 == 0ull;
  if (v89) goto b11; else goto b12;
 b11:
  v91 = blockIdx.x;
  v92 = *(const pg_ptr *) (args + 56);
  v94 = 0ull * v7;
  v95 = v94 + v91;
  v97 = v95 << 3;
  v98 = v92 + (pg_s64) v97;
  *(pg_f64 *) v98 = v85;
  goto b12;
 b12:
  v101 = threadIdx.x;
  v102 = blockDim.x;
  v103 = shared + 0;
  v105 = v101 << 3;
  v106 = v103 + (pg_s64) v105;
  *(pg_i32 *) v106 = v49;
  { v109 = v102; goto b13; }
 b13:
  __syncthreads ();
  v112 = 1ll < (pg_s64) v109;
  if (v112) goto b14; else goto b17;
 b14:
  v114 = v109 + 1ull;
  v115 = (pg_i64) (v114 >> 1);
  v116 = v101 + v115;
  v117 = (pg_s64) v116 < (pg_s64) v109;
  if (v117) goto b15; else goto b16;
 b15:
  v119 = *(const pg_i32 *) v106;
  v121 = v116 << 3;
  v122 = v103 + (pg_s64) v121;
  v123 = *(const pg_i32 *) v122;
  v124 = v119 + v123;
  *(pg_i32 *) v106 = v124;
  goto b16;
 b16:
  { v109 = v115; goto b13; }
 b17:
  v128 = *(const pg_i32 *) v106;
  __syncthreads ();
  v130 = threadIdx.x;
  v132 = v130 == 0ull;
  if (v132) goto b18; else goto b19;
 b18:
  v134 = blockIdx.x;
  v135 = *(const pg_ptr *) (args + 56);
  v137 = 2ull * v7;
  v138 = v137 + v134;
  v140 = v138 << 3;
  v141 = v135 + (pg_s64) v140;
  *(pg_i32 *) v141 = v128;
  goto b19;
 b19:
  return;
}
