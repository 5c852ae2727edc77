/* sum.c:3 sum */
PG_KERNEL (sum_tree, 64, 64)
{
  const char *args = blob.bytes;
  PG_SHARED (shared, 512);
  pg_i64 v1;
  pg_i64 v2;
  pg_i64 v3;
  pg_i64 v4;
  pg_i64 v5;
  pg_i64 v6;
  pg_i64 v7;
  pg_i64 v8;
  pg_i64 v9;
  pg_i64 v10;
  pg_i64 v11;
  pg_i8 v12;
  pg_f64 v13;
  pg_f64 v14;
  pg_f64 v15;
  pg_i64 v16;
  pg_i64 v17;
  pg_i64 v18;
  pg_i32 v19;
  pg_i32 v20;
  pg_i32 v21;
  pg_i8 v22;
  pg_i64 v24, n24;
  pg_f64 v25, n25;
  pg_i64 v26, n26;
  pg_i32 v27, n27;
  pg_i64 v28;
  pg_i64 v29;
  pg_ptr v30;
  pg_ptr v31;
  pg_f64 v32;
  pg_f64 v33;
  pg_i8 v34;
  pg_f64 v36;
  pg_i32 v37;
  pg_i32 v38;
  pg_f64 v40, n40;
  pg_i64 v41, n41;
  pg_i32 v42, n42;
  pg_i64 v44;
  pg_i8 v45;
  pg_f64 v47, n47;
  pg_i64 v48, n48;
  pg_i32 v49, n49;
  pg_ptr v50;
  pg_i64 v51;
  pg_i64 v52;
  pg_i64 v53;
  pg_i64 v54;
  pg_i64 v55;
  pg_ptr v56;
  pg_i64 v58;
  pg_i64 v59;
  pg_ptr v60;
  pg_i64 v61;
  pg_i64 v62;
  pg_ptr v63;
  pg_i64 v66, n66;
  pg_i64 v67;
  pg_i8 v69;
  pg_i64 v71;
  pg_i64 v72;
  pg_i64 v73;
  pg_i8 v74;
  pg_f64 v76;
  pg_i64 v77;
  pg_i64 v78;
  pg_ptr v79;
  pg_f64 v80;
  pg_f64 v81;
  pg_f64 v85;
  pg_i64 v87;
  pg_i64 v88;
  pg_i8 v89;
  pg_i64 v91;
  pg_ptr v92;
  pg_i64 v93;
  pg_i64 v94;
  pg_i64 v95;
  pg_i64 v96;
  pg_i64 v97;
  pg_ptr v98;
  pg_i64 v101;
  pg_i64 v102;
  pg_ptr v103;
  pg_i64 v104;
  pg_i64 v105;
  pg_ptr v106;
  pg_i64 v109, n109;
  pg_i64 v110;
  pg_i8 v112;
  pg_i64 v114;
  pg_i64 v115;
  pg_i64 v116;
  pg_i8 v117;
  pg_i32 v119;
  pg_i64 v120;
  pg_i64 v121;
  pg_ptr v122;
  pg_i32 v123;
  pg_i32 v124;
  pg_i32 v128;
  pg_i64 v130;
  pg_i64 v131;
  pg_i8 v132;
  pg_i64 v134;
  pg_ptr v135;
  pg_i64 v136;
  pg_i64 v137;
  pg_i64 v138;
  pg_i64 v139;
  pg_i64 v140;
  pg_ptr v141;
  v1 = threadIdx.x;
  v2 = blockDim.x;
  v3 = blockIdx.x;
  v4 = gridDim.x;
  v5 = (pg_i64) ((pg_i64) v3 * (pg_i64) v2);
  v6 = (pg_i64) ((pg_i64) v5 + (pg_i64) v1);
  v7 = (pg_i64) ((pg_i64) v4 * (pg_i64) v2);
  v8 = *(const pg_i64 *) (args + 32);
  v9 = *(const pg_i64 *) (args + 40);
  v10 = (pg_i64) ((pg_i64) v8 + (pg_i64) v6);
  v11 = 0ull;
  v12 = v6 == v11;
  v13 = *(const pg_f64 *) (args + 8);
  v14 = PG_F64_OF (0x0ull);
  v15 = v12 ? v13 : v14;
  v16 = *(const pg_i64 *) (args + 16);
  v17 = 0ull;
  v18 = v12 ? v16 : v17;
  v19 = *(const pg_i32 *) (args + 24);
  v20 = 0u;
  v21 = v12 ? v19 : v20;
  v22 = (pg_s64) v10 < (pg_s64) v9;
  if (v22) { n24 = v10; n25 = v15; n26 = v18; n27 = v21; v24 = n24; v25 = n25; v26 = n26; v27 = n27; goto b1; } else { n47 = v15; n48 = v18; n49 = v21; v47 = n47; v48 = n48; v49 = n49; goto b5; }
 b1:
  v28 = 3ull;
  v29 = (pg_i64) ((pg_i64) v24 << (v28 & 63));
  v30 = *(const pg_ptr *) (args + 0);
  v31 = v30 + (pg_s64) v29;
  v32 = *(const pg_f64 *) v31; // line 4
  v33 = PG_F64_OF (0x4014000000000000ull);
  v34 = v33 < v32; // line 4
  if (v34) { goto b2; } else { n40 = v25; n41 = v26; n42 = v27; v40 = n40; v41 = n41; v42 = n42; goto b3; }
 b2:
  v36 = v25 + v32; // line 5
  v37 = 1u;
  v38 = (pg_i32) ((pg_i32) v27 + (pg_i32) v37);
  { n40 = v36; n41 = v24; n42 = v38; v40 = n40; v41 = n41; v42 = n42; goto b3; }
 b3:
  { goto b4; }
 b4:
  v44 = (pg_i64) ((pg_i64) v24 + (pg_i64) v7);
  v45 = (pg_s64) v44 < (pg_s64) v9;
  if (v45) { n24 = v44; n25 = v40; n26 = v41; n27 = v42; v24 = n24; v25 = n25; v26 = n26; v27 = n27; goto b1; } else { n47 = v40; n48 = v41; n49 = v42; v47 = n47; v48 = n48; v49 = n49; goto b5; }
 b5:
  v50 = *(const pg_ptr *) (args + 56);
  v51 = 1ull;
  v52 = (pg_i64) ((pg_i64) v51 * (pg_i64) v7);
  v53 = (pg_i64) ((pg_i64) v52 + (pg_i64) v6);
  v54 = 3ull;
  v55 = (pg_i64) ((pg_i64) v53 << (v54 & 63));
  v56 = v50 + (pg_s64) v55;
  *(pg_i64 *) v56 = v48;
  v58 = threadIdx.x;
  v59 = blockDim.x;
  v60 = shared + 0;
  v61 = 3ull;
  v62 = (pg_i64) ((pg_i64) v58 << (v61 & 63));
  v63 = v60 + (pg_s64) v62;
  *(pg_f64 *) v63 = v47;
  { n66 = v59; v66 = n66; goto b6; }
 b6:
  v67 = 1ull;
  __syncthreads ();
  v69 = (pg_s64) v67 < (pg_s64) v66;
  if (v69) { goto b7; } else { goto b10; }
 b7:
  v71 = (pg_i64) ((pg_i64) v66 + (pg_i64) v67);
  v72 = (pg_i64) (v71 >> (v67 & 63));
  v73 = (pg_i64) ((pg_i64) v58 + (pg_i64) v72);
  v74 = (pg_s64) v73 < (pg_s64) v66;
  if (v74) { goto b8; } else { goto b9; }
 b8:
  v76 = *(const pg_f64 *) v63;
  v77 = 3ull;
  v78 = (pg_i64) ((pg_i64) v73 << (v77 & 63));
  v79 = v60 + (pg_s64) v78;
  v80 = *(const pg_f64 *) v79;
  v81 = v76 + v80;
  *(pg_f64 *) v63 = v81;
  { goto b9; }
 b9:
  { n66 = v72; v66 = n66; goto b6; }
 b10:
  v85 = *(const pg_f64 *) v63;
  __syncthreads ();
  v87 = threadIdx.x;
  v88 = 0ull;
  v89 = v87 == v88;
  if (v89) { goto b11; } else { goto b12; }
 b11:
  v91 = blockIdx.x;
  v92 = *(const pg_ptr *) (args + 56);
  v93 = 0ull;
  v94 = (pg_i64) ((pg_i64) v93 * (pg_i64) v7);
  v95 = (pg_i64) ((pg_i64) v94 + (pg_i64) v91);
  v96 = 3ull;
  v97 = (pg_i64) ((pg_i64) v95 << (v96 & 63));
  v98 = v92 + (pg_s64) v97;
  *(pg_f64 *) v98 = v85;
  { goto b12; }
 b12:
  v101 = threadIdx.x;
  v102 = blockDim.x;
  v103 = shared + 0;
  v104 = 3ull;
  v105 = (pg_i64) ((pg_i64) v101 << (v104 & 63));
  v106 = v103 + (pg_s64) v105;
  *(pg_i32 *) v106 = v49;
  { n109 = v102; v109 = n109; goto b13; }
 b13:
  v110 = 1ull;
  __syncthreads ();
  v112 = (pg_s64) v110 < (pg_s64) v109;
  if (v112) { goto b14; } else { goto b17; }
 b14:
  v114 = (pg_i64) ((pg_i64) v109 + (pg_i64) v110);
  v115 = (pg_i64) (v114 >> (v110 & 63));
  v116 = (pg_i64) ((pg_i64) v101 + (pg_i64) v115);
  v117 = (pg_s64) v116 < (pg_s64) v109;
  if (v117) { goto b15; } else { goto b16; }
 b15:
  v119 = *(const pg_i32 *) v106;
  v120 = 3ull;
  v121 = (pg_i64) ((pg_i64) v116 << (v120 & 63));
  v122 = v103 + (pg_s64) v121;
  v123 = *(const pg_i32 *) v122;
  v124 = (pg_i32) ((pg_i32) v119 + (pg_i32) v123);
  *(pg_i32 *) v106 = v124;
  { goto b16; }
 b16:
  { n109 = v115; v109 = n109; goto b13; }
 b17:
  v128 = *(const pg_i32 *) v106;
  __syncthreads ();
  v130 = threadIdx.x;
  v131 = 0ull;
  v132 = v130 == v131;
  if (v132) { goto b18; } else { goto b19; }
 b18:
  v134 = blockIdx.x;
  v135 = *(const pg_ptr *) (args + 56);
  v136 = 2ull;
  v137 = (pg_i64) ((pg_i64) v136 * (pg_i64) v7);
  v138 = (pg_i64) ((pg_i64) v137 + (pg_i64) v134);
  v139 = 3ull;
  v140 = (pg_i64) ((pg_i64) v138 << (v139 & 63));
  v141 = v135 + (pg_s64) v140;
  *(pg_i32 *) v141 = v128;
  { goto b19; }
 b19:
  return;
}
