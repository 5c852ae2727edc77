/* sum.c:3 sum */
PG_KERNEL (sum_tree, 64, 64)
{
  const char *args = blob.bytes;
  PG_SHARED (shared, 512);
  pg_i8 v13, v23, v35, v46, v70, v75, v90, v113, v118, v133;
  pg_i32 v20, v22, v28, v39, v43, v50, v120, v124, v125, v129;
  pg_i64 v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v17, v19, v25, v27, v30, v42, v45, v49, v53, v54;
  pg_i64 v56, v59, v60, v63, v67, v72, v73, v74, v79, v88, v92, v95, v96, v98, v102, v103, v106, v110;
  pg_i64 v115, v116, v117, v122, v131, v135, v138, v139, v141;
  pg_f64 v14, v16, v26, v33, v37, v41, v48, v77, v81, v82, v86;
  pg_ptr v31, v32, v51, v57, v61, v64, v80, v93, v99, v104, v107, v123, v136, v142;
  v1 = threadIdx.x;
  v2 = blockDim.x;
  v3 = blockIdx.x;
  v4 = v3 * v2;
  v5 = v4 + v1;
  v6 = gridDim.x;
  v7 = v6 * v2;
  v8 = *(const pg_i64 *) (args + 48);
  v9 = *(const pg_i64 *) (args + 32);
  v10 = *(const pg_i64 *) (args + 40);
  v11 = v9 + v5;
  v13 = v5 == 0ull;
  v14 = *(const pg_f64 *) (args + 8);
  v16 = v13 ? v14 : PG_F64_OF (0x0ull) /* 0 */;
  v17 = *(const pg_i64 *) (args + 16);
  v19 = v13 ? v17 : 0ull;
  v20 = *(const pg_i32 *) (args + 24);
  v22 = v13 ? v20 : 0u;
  v23 = (pg_s64) v11 < (pg_s64) v10;
  if (v23) { v25 = v11; v26 = v16; v27 = v19; v28 = v22; goto b1; } else { v48 = v16; v49 = v19; v50 = v22; goto b5; }
 b1:
  v30 = v25 << 3;
  v31 = *(const pg_ptr *) (args + 0);
  v32 = v31 + (pg_s64) v30;
  v33 = *(const pg_f64 *) v32; // sum.c:4
  v35 = PG_F64_OF (0x4014000000000000ull) /* 5 */ < v33; // sum.c:4
  if (v35) goto b2; else { v41 = v26; v42 = v27; v43 = v28; goto b3; }
 b2:
  v37 = v26 + v33; // sum.c:5
  v39 = v28 + 1u;
  { v41 = v37; v42 = v25; v43 = v39; goto b3; }
 b3:
  goto b4;
 b4:
  v45 = v25 + v8;
  v46 = (pg_s64) v45 < (pg_s64) v10;
  if (v46) { v25 = v45; v26 = v41; v27 = v42; v28 = v43; goto b1; } else { v48 = v41; v49 = v42; v50 = v43; goto b5; }
 b5:
  v51 = *(const pg_ptr *) (args + 56);
  v53 = 1ull * v7;
  v54 = v53 + v5;
  v56 = v54 << 3;
  v57 = v51 + (pg_s64) v56;
  *(pg_i64 *) v57 = v49;
  v59 = threadIdx.x;
  v60 = blockDim.x;
  v61 = shared + 0;
  v63 = v59 << 3;
  v64 = v61 + (pg_s64) v63;
  *(pg_f64 *) v64 = v48;
  { v67 = v60; goto b6; }
 b6:
  __syncthreads ();
  v70 = 1ll < (pg_s64) v67;
  if (v70) goto b7; else goto b10;
 b7:
  v72 = v67 + 1ull;
  v73 = (pg_i64) (v72 >> 1);
  v74 = v59 + v73;
  v75 = (pg_s64) v74 < (pg_s64) v67;
  if (v75) goto b8; else goto b9;
 b8:
  v77 = *(const pg_f64 *) v64;
  v79 = v74 << 3;
  v80 = v61 + (pg_s64) v79;
  v81 = *(const pg_f64 *) v80;
  v82 = v77 + v81;
  *(pg_f64 *) v64 = v82;
  goto b9;
 b9:
  { v67 = v73; goto b6; }
 b10:
  v86 = *(const pg_f64 *) v64;
  __syncthreads ();
  v88 = threadIdx.x;
  v90 = v88 == 0ull;
  if (v90) goto b11; else goto b12;
 b11:
  v92 = blockIdx.x;
  v93 = *(const pg_ptr *) (args + 56);
  v95 = 0ull * v7;
  v96 = v95 + v92;
  v98 = v96 << 3;
  v99 = v93 + (pg_s64) v98;
  *(pg_f64 *) v99 = v86;
  goto b12;
 b12:
  v102 = threadIdx.x;
  v103 = blockDim.x;
  v104 = shared + 0;
  v106 = v102 << 3;
  v107 = v104 + (pg_s64) v106;
  *(pg_i32 *) v107 = v50;
  { v110 = v103; goto b13; }
 b13:
  __syncthreads ();
  v113 = 1ll < (pg_s64) v110;
  if (v113) goto b14; else goto b17;
 b14:
  v115 = v110 + 1ull;
  v116 = (pg_i64) (v115 >> 1);
  v117 = v102 + v116;
  v118 = (pg_s64) v117 < (pg_s64) v110;
  if (v118) goto b15; else goto b16;
 b15:
  v120 = *(const pg_i32 *) v107;
  v122 = v117 << 3;
  v123 = v104 + (pg_s64) v122;
  v124 = *(const pg_i32 *) v123;
  v125 = v120 + v124;
  *(pg_i32 *) v107 = v125;
  goto b16;
 b16:
  { v110 = v116; goto b13; }
 b17:
  v129 = *(const pg_i32 *) v107;
  __syncthreads ();
  v131 = threadIdx.x;
  v133 = v131 == 0ull;
  if (v133) goto b18; else goto b19;
 b18:
  v135 = blockIdx.x;
  v136 = *(const pg_ptr *) (args + 56);
  v138 = 2ull * v7;
  v139 = v138 + v135;
  v141 = v139 << 3;
  v142 = v136 + (pg_s64) v141;
  *(pg_i32 *) v142 = v129;
  goto b19;
 b19:
  return;
}
